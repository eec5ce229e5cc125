// Names of classes and traits, which may be long.

import { html } from "../lib/preact-htm.js";

// A name that is too long for one line breaks after an underscore.
export function LongName({ children }) {
  return children
    .split(/(?<=_)/)
    .map((part, index) => (index ? html`<wbr />${part}` : part));
}
