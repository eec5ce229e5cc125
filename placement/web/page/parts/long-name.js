// Names of classes and traits, which may be long.

import { html } from "../lib/preact-htm.js";

// Where there is no room for all of it, a name is cut after an underscore.
export function LongName({ children }) {
  return children
    .split(/(?<=_)/)
    .map((part, index) => (index ? html`<wbr />${part}` : part));
}
