// Columns of a VirtualTable that show how full each resource class is.

import { html } from "../../lib/preact-htm.js";
import { Bar } from "../charts/bar.js";
import { amount, percent, shareUsed } from "../numbers.js";
import { idOf } from "./sorting.js";

// If there are more classes, the rarer ones share a column.
const MOST = 6;

// Returns the columns of rows that have `sums`, a Map from each class to what a Bar shows;
// `classes` are the names of all of them. The class to sort by has a column, however rare it is.
// With `hasAmounts`, cells show the amount that is used instead of a bar.
export function classColumns(classes, sort, hasAmounts = false) {
  const shown = classes.filter((name, index) => index < MOST || name === idOf(sort));
  const others = classes.filter((name) => !shown.includes(name));
  const columns = shown.map((name) => classColumn(name, hasAmounts));
  return others.length ? [...columns, columnOfOthers(others)] : columns;
}

function classColumn(name, hasAmounts) {
  const width = Math.min(Math.max(7.25, 3 + name.length * 0.6), 9);
  return {
    id: name,
    title: name,
    width: hasAmounts ? Math.max(width, 9) : width,
    startsDescending: true,
    key: (row) => (row.sums.has(name) ? shareUsed(row.sums.get(name)) : null),
    cell: (row) => html`<${Fill} sum=${row.sums.get(name)} name=${name} hasAmount=${hasAmounts} />`,
  };
}

function columnOfOthers(names) {
  const of = (row) => names.filter((name) => row.sums.has(name));
  return {
    id: "others",
    title: "Other classes",
    width: 16,
    startsDescending: true,
    key: (row) =>
      of(row).length ? Math.max(...of(row).map((name) => shareUsed(row.sums.get(name)))) : null,
    cell: (row) =>
      of(row)
        .map((name) => [name, row.sums.get(name)])
        .map(([name, sum]) => `${name} ${percent(sum.used, sum.capacity)}`)
        .join(", "),
  };
}

function Fill({ sum, name, hasAmount }) {
  if (!sum) {
    return null;
  }
  const share = percent(sum.used, sum.capacity);
  return hasAmount
    ? html`<span class="fill">${share}<span class="amount">${amount(sum.used, name)}</span></span>`
    : html`
        <span class="fill">
          <${Bar} of=${sum} className=${name} more=${sum.more} />${share}
        </span>
      `;
}
