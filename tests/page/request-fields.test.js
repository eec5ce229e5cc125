// The texts of the form of a request.

import assert from "node:assert/strict";
import test from "node:test";

import { format, parse } from "../../placement/web/page/parts/query.js";
import {
  fieldsOf,
  requestOf,
  withGroup,
  withoutGroup,
} from "../../placement/web/page/parts/request-fields.js";

const QUERY =
  "resources=DISK_GB:80&resources_CPU=VCPU:8&required_CPU=in:HW_A,HW_B&resources_GPU=PGPU:1" +
  "&group_policy=none&same_subtree=_CPU,_GPU&root_required=HW_C,!CUSTOM_OLD";

test("a request comes back from the fields", () => {
  assert.equal(format(requestOf(fieldsOf(parse(QUERY)))), QUERY);
});

test("a group keeps its place in a subtree when it is renamed", () => {
  const fields = fieldsOf(parse(QUERY));
  const renamed = withGroup(fields, 2, { ...fields.groups[2], suffix: "_CARD" });
  assert.equal(format(requestOf(renamed)), QUERY.replaceAll("_GPU", "_CARD"));
});

test("a subtree does not bind a group that is removed", () => {
  const fields = { ...fieldsOf(parse(QUERY)), same_subtree: "_CPU, _GPU; _CPU, _GPU, _NET" };
  assert.equal(withoutGroup(fields, 2).same_subtree, "_CPU, _NET");
});
