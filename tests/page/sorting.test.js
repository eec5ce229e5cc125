// The order of the rows of a table.

import assert from "node:assert/strict";
import test from "node:test";

import { orderOf, sortable } from "../../placement/web/page/parts/tables/sorting.js";

const NAME = { id: "name" };
const VCPU = { id: "VCPU", startsDescending: true };
const COLUMNS = [NAME, VCPU];

test("an address names the column and the direction", () => {
  assert.deepEqual(orderOf("-VCPU", COLUMNS), { column: VCPU, isDescending: true });
  assert.deepEqual(orderOf("VCPU", COLUMNS), { column: VCPU, isDescending: false });
});

// Returns the order after a click on a column.
function afterClick(column, order) {
  let after = null;
  const columns = sortable(COLUMNS, order, (sort) => (after = sort));
  columns.find(({ id }) => id === column.id).onSort();
  return after;
}

test("a column that is not there means the first one", () => {
  for (const sort of ["", "-", "-PGPU"]) {
    assert.deepEqual(orderOf(sort, COLUMNS), { column: NAME, isDescending: false });
  }
});

test("classes start with the fullest, and a second click reverses the order", () => {
  assert.equal(afterClick(VCPU, { column: NAME, isDescending: false }), "-VCPU");
  assert.equal(afterClick(VCPU, { column: VCPU, isDescending: true }), "VCPU");
  assert.equal(afterClick(NAME, { column: VCPU, isDescending: true }), "name");
  assert.equal(afterClick(NAME, { column: NAME, isDescending: false }), "-name");
});

test("only the column of the order says its direction", () => {
  const sorts = (order) => sortable(COLUMNS, order).map(({ sort }) => sort);
  assert.deepEqual(sorts({ column: VCPU, isDescending: true }), ["none", "descending"]);
  assert.deepEqual(sorts({ column: NAME, isDescending: false }), ["ascending", "none"]);
});
