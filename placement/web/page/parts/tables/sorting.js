// The order of the rows of a table, as an address has it: "-VCPU" is by VCPU, descending. Pure.

// Returns the id of the column to sort by.
export function idOf(sort) {
  return sort.replace(/^-/, "");
}

// Returns {column, isDescending}: by default, the first column, ascending.
export function orderOf(sort, columns) {
  const isDescending = sort.startsWith("-");
  const column = columns.find((each) => each.id === idOf(sort));
  return column ? { column, isDescending } : { column: columns[0], isDescending: false };
}

// Returns the columns as a VirtualTable takes them, for rows in the order that orderOf() returned;
// a click on one of them calls onSort with the new order.
export function sortable(columns, { column, isDescending }, onSort) {
  return columns.map((each) => ({
    ...each,
    sort: each !== column ? "none" : isDescending ? "descending" : "ascending",
    onSort: () => onSort(sortAfter(each, column, isDescending)),
  }));
}

// A second click reverses the order; some columns, such as those of classes, start with the
// largest.
function sortAfter(column, current, isDescending) {
  const isBackwards = column === current ? !isDescending : column.startsDescending;
  return isBackwards ? `-${column.id}` : column.id;
}
