// A text field for a list, with one item in each line.

import { html } from "../../lib/preact-htm.js";

export function LinesField({ label, hint, value, onChange }) {
  return html`
    <label class="field">
      <span>${label} <small>${hint}</small></span>
      <textarea
        rows="2"
        spellcheck=${false}
        value=${value}
        onInput=${(event) => onChange(event.target.value)}
      ></textarea>
    </label>
  `;
}

// Returns the items in the text of such a field.
export function linesOf(text) {
  return text.split("\n").map((each) => each.trim()).filter(Boolean);
}
