// A choice from a list.

import { html } from "../../lib/preact-htm.js";

// `options` is [[value, title]].
export function Select({ value, options, onChange }) {
  return html`
    <select value=${value} onChange=${(event) => onChange(event.target.value)}>
      ${options.map(([each, title]) => html`<option key=${each} value=${each}>${title}</option>`)}
    </select>
  `;
}
