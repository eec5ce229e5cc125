// The order of the rows of a table, as an address has it: "-VCPU" is by VCPU, descending. Pure.

// Returns {column, isDescending}: by default, the first column, ascending.
export function orderOf(sort, columns) {
  const isDescending = sort.startsWith("-");
  const column = columns.find((each) => each.id === sort.replace(/^-/, ""));
  return column ? { column, isDescending } : { column: columns[0], isDescending: false };
}

// Returns the order after a click on a column: a second click reverses it; some columns, such as
// those of classes, start with the largest.
export function sortAfter(column, current, isDescending) {
  const isBackwards = column === current ? !isDescending : column.startsDescending;
  return isBackwards ? `-${column.id}` : column.id;
}
