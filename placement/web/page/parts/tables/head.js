// The head of a table that a narrow window shows as cards; with its roles, it remains a table.

import { html } from "../../lib/preact-htm.js";

// `columns` are titles; `numbers` are the titles of columns of numbers.
export function Head({ columns, numbers = [] }) {
  return html`
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map(
          (title) => html`
            <th role="columnheader" scope="col" class=${numbers.includes(title) ? "number" : null}>
              ${title}
            </th>
          `,
        )}
      </tr>
    </thead>
  `;
}
