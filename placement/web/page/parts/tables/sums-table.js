// A table of resource classes: how full each is, and other numbers.

import { html } from "../../lib/preact-htm.js";
import { Bar } from "../charts/bar.js";
import { amount, bytes, number, percent } from "../numbers.js";
import { Head } from "./head.js";

// `columns` are the titles of the numbers; `children` are bodies, of SumsRows.
export function SumsTable({ label, columns, children }) {
  return html`
    <table class="sums cards" role="table" aria-label=${label}>
      <${Head} columns=${["Class", "How full", ...columns]} numbers=${columns} />
      ${children}
    </table>
  `;
}

// `of` is what a Bar shows, `cells` are [{text, title}], and `children` name the class.
export function SumsRow({ columns, of, cells, children }) {
  return html`
    <tr role="row">
      <th role="rowheader" scope="row">${children}</th>
      <td role="cell" class="filled"><${Bar} of=${of} /> ${percent(of.used, of.capacity)}</td>
      ${cells.map(
        ({ text, title }, index) => html`
          <td role="cell" class="number" data-column=${columns[index]} title=${title}>${text}</td>
        `,
      )}
    </tr>
  `;
}

// Returns the cell of an amount of a class; in bytes, the tooltip has the exact amount.
export function amountCell(value, className) {
  const exact = `${number(value)} ${className}`;
  return { text: amount(value, className), title: bytes(value, className) && exact };
}
