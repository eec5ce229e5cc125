// The form of a request, as it is edited.

import assert from "node:assert/strict";
import test from "node:test";

import {
  EMPTY,
  asksForResources,
  hasSeveralSuffixes,
  withGroup,
  withNewGroup,
  withoutGroup,
} from "../../placement/web/page/parts/forms/form.js";

const GROUPED = {
  groups: ["", "_CPU", "_GPU", "_CPU-2"].map((suffix) => ({ suffix, resources: [], fields: {} })),
  fields: { same_subtree: "_CPU, _GPU; _CPU, _GPU, _CPU-2", root_required: "_GPU" },
};
const NAMING = ["same_subtree"];

function withSuffix(suffix) {
  return withGroup(GROUPED, 2, { ...GROUPED.groups[2], suffix }, NAMING);
}

test("a group keeps its place in a subtree when it is renamed", () => {
  const { groups, fields } = withSuffix("_CARD");
  assert.equal(groups[2].suffix, "_CARD");
  assert.equal(fields.same_subtree, "_CPU, _CARD; _CPU, _CARD, _CPU-2");
});

test("a trait is not renamed with a group", () => {
  assert.equal(withSuffix("_CARD").fields.root_required, "_GPU");
});

test("a subtree does not bind a group that is removed", () => {
  assert.equal(withoutGroup(GROUPED, 2, NAMING).fields.same_subtree, "_CPU; _CPU, _CPU-2");
  assert.equal(withoutGroup(GROUPED, 1, NAMING).fields.same_subtree, "_GPU; _GPU, _CPU-2");
});

test("a new group has a number of its own", () => {
  const form = withNewGroup(withNewGroup(GROUPED));
  assert.deepEqual(form.groups.slice(4).map(({ suffix }) => suffix), ["_3", "_4"]);
  assert.equal(hasSeveralSuffixes(withNewGroup(EMPTY)), false);
  assert.equal(hasSeveralSuffixes(GROUPED), true);
});

test("a form asks for nothing until a class has a name", () => {
  assert.equal(asksForResources(EMPTY), false);
  const named = (name) => ({ groups: [{ suffix: "", resources: [[name, "1"]], fields: {} }] });
  assert.equal(asksForResources(named(" ")), false);
  assert.equal(asksForResources(named("VCPU")), true);
});
