// The known resource classes, for fields to choose from.

import { html } from "../../lib/preact-htm.js";

// The id that a field names as its list.
export const KNOWN_CLASSES = "known-classes";

// Appears once in a form, for all its fields.
export function KnownClasses({ names }) {
  return html`
    <datalist id=${KNOWN_CLASSES}>
      ${names.map((name) => html`<option value=${name} />`)}
    </datalist>
  `;
}
