// The sums of many groups, such as aggregates or projects: a row for each, a column for each class.

import { html, useMemo } from "../../lib/preact-htm.js";
import { classColumns } from "./class-columns.js";
import { Named, useGivenNames } from "../given-names.js";
import { sortedBy } from "../hosts.js";
import { amount, number } from "../numbers.js";
import { orderOf, sortable } from "./sorting.js";
import { VirtualTable } from "./virtual-table.js";

// `rows` are those of GET /operator/capacity by `by`; `linkOf` returns the address that a group
// leads to; `sort` is as in the address of the view, and `onSort` is called with a new one.
export function GroupsTable({ rows, by, label, linkOf, sort, onSort, hasAmounts }) {
  const groups = useMemo(() => groupsOf(rows, by), [rows, by]);
  const nameOf = useGivenNames(groups.map((group) => group.uuid));
  const classes = useMemo(() => [...new Set(rows.map((row) => row.class))], [rows]);
  const columns = [
    nameColumn(label, groups, nameOf, linkOf),
    ...classColumns(classes, sort, hasAmounts),
  ];
  const order = orderOf(sort, columns);
  const { column, isDescending } = order;
  const names = groups.map(({ uuid }) => nameOf(uuid)).join("\n");
  const shown = useMemo(
    () => sortedBy(groups, column.key, isDescending),
    [groups, column.id, isDescending, names],
  );
  return html`
    <${VirtualTable} label=${label} columns=${sortable(columns, order, onSort)} rows=${shown} />
  `;
}

function nameColumn(label, groups, nameOf, linkOf) {
  const longest = Math.max(...groups.map(({ uuid }) => (nameOf(uuid) ?? uuid).length));
  return {
    id: "name",
    title: label,
    width: Math.min(Math.max(9.5, 1.5 + longest * 0.55), 22),
    key: ({ uuid }) => nameOf(uuid) ?? uuid,
    cell: ({ uuid }) => html`<a href=${linkOf(uuid)}><${Named} id=${uuid} name=${nameOf(uuid)} /></a>`,
  };
}

// Returns [{uuid, sums}]: `uuid` is the name of the group, whatever it is.
function groupsOf(rows, by) {
  const groups = new Map();
  for (const row of rows) {
    const name = row[by];
    if (!groups.has(name)) {
      groups.set(name, { uuid: name, sums: new Map() });
    }
    groups.get(name).sums.set(row.class, { total: 0, reserved: 0, ...row, more: moreOf(row) });
  }
  return [...groups.values()];
}

// Returns what a bar does not show, about providers or about consumers.
function moreOf(row) {
  return row.consumers === undefined
    ? `; largest free amount ${amount(row.largest_free, row.class)};` +
        ` ${number(row.full)} of ${number(row.providers)} full`
    : `; consumers: ${number(row.consumers)}`;
}
