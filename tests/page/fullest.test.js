// Which providers the view of the cloud calls the fullest.

import assert from "node:assert/strict";
import test from "node:test";

import { fullestProviders } from "../../placement/web/page/parts/fullest.js";

function fill(name, className, used, capacity) {
  return { uuid: `${name}-uuid`, name, class: className, used, capacity };
}

const outline = (fills, limit = 20) =>
  fullestProviders(fills, limit).map(({ name, fills }) => [name, fills.map((each) => each.class)]);

test("a provider comes once, with all that it is full of", () => {
  const fills = [
    fill("a1", "MEMORY_MB", 97, 100),
    fill("a2", "VCPU", 9, 10),
    fill("a1", "VCPU", 4, 8),
  ];
  assert.deepEqual(outline(fills), [
    ["a1", ["MEMORY_MB", "VCPU"]],
    ["a2", ["VCPU"]],
  ]);
});

test("what is either free or taken comes last", () => {
  const fills = [
    fill("metal1", "CUSTOM_GOLD", 1, 1),
    fill("a1", "CUSTOM_TPM", 1, 1),
    fill("gpus", "PGPU", 2, 2),
    fill("a1", "VCPU", 1, 8),
  ];
  assert.deepEqual(outline(fills), [
    ["gpus", ["PGPU"]],
    ["a1", ["VCPU", "CUSTOM_TPM"]],
    ["metal1", ["CUSTOM_GOLD"]],
  ]);
  assert.deepEqual(outline(fills, 1), [["gpus", ["PGPU"]]]);
});
