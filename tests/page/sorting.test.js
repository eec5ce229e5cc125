// The order of the rows of a table.

import assert from "node:assert/strict";
import test from "node:test";

import { orderOf, sortAfter } from "../../placement/web/page/parts/tables/sorting.js";

const NAME = { id: "name" };
const VCPU = { id: "VCPU", startsDescending: true };
const COLUMNS = [NAME, VCPU];

test("an address names the column and the direction", () => {
  assert.deepEqual(orderOf("-VCPU", COLUMNS), { column: VCPU, isDescending: true });
  assert.deepEqual(orderOf("VCPU", COLUMNS), { column: VCPU, isDescending: false });
});

test("a column that is not there means the first one", () => {
  for (const sort of ["", "-", "-PGPU"]) {
    assert.deepEqual(orderOf(sort, COLUMNS), { column: NAME, isDescending: false });
  }
});

test("classes start with the fullest, and a second click reverses the order", () => {
  assert.equal(sortAfter(VCPU, NAME, false), "-VCPU");
  assert.equal(sortAfter(VCPU, VCPU, true), "VCPU");
  assert.equal(sortAfter(NAME, VCPU, true), "name");
  assert.equal(sortAfter(NAME, NAME, false), "-name");
});
