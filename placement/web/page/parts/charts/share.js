// Bars that compare numbers, beside the numbers.

import { html } from "../../lib/preact-htm.js";

// `lost` is drawn after `part`, in another pattern.
export function Share({ part, lost = 0, whole }) {
  const segment = (name, of) =>
    of > 0 && html`<span class=${`${name} some`} style=${{ width: `${(100 * of) / whole}%` }}></span>`;
  return html`
    <span class="share" aria-hidden="true">
      ${segment("used", part)} ${segment("lost", lost)}
    </span>
  `;
}

// A table of bars; `rows` is [{label, value, text}], where `text` shows the value.
export function Bars({ columns, rows }) {
  const whole = Math.max(...rows.map((row) => row.value));
  return html`
    <table class="bars">
      <thead class="unseen">
        <tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ label, value, text }) => html`
            <tr>
              <th scope="row">${label}</th>
              <td><${Share} part=${value} whole=${whole} /> ${text}</td>
            </tr>
          `,
        )}
      </tbody>
    </table>
  `;
}
