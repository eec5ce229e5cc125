// What the heat map makes of hosts.

import assert from "node:assert/strict";
import test from "node:test";

import { NO_AGGREGATE, heatOf, partsOf, shadeOf } from "../../placement/web/page/parts/charts/heat.js";

function host(name, used, capacity, aggregates) {
  return { uuid: name, name, aggregates, sums: new Map([["VCPU", { used, capacity }]]) };
}

const HOSTS = [
  host("b", 8, 8, ["rack", "zone"]),
  host("a", 2, 8, ["rack"]),
  host("c", 0, 4, []),
  { uuid: "disk", name: "disk", aggregates: ["rack"], sums: new Map() },
];

test("only what is empty, and only what is full, looks like it", () => {
  const shades = [0, 1, 500, 999, 1000, 1001].map((used) => shadeOf({ used, capacity: 1000 }));
  assert.deepEqual(shades, [0, 1, 5, 8, 9, 9]);
});

test("what is used without any capacity is full", () => {
  assert.equal(shadeOf({ used: 1, capacity: 0 }), 9);
});

test("a host that does not offer the class has no shade", () => {
  assert.equal(shadeOf(undefined), null);
});

test("a host is in each of its aggregates, in the order of names", () => {
  const groups = heatOf(HOSTS, "VCPU", true);
  assert.deepEqual(
    groups.map(({ id, hosts, sum, full }) => [
      id,
      hosts.map(({ name }) => name),
      sum.used,
      sum.capacity,
      full,
    ]),
    [
      ["rack", ["a", "b"], 10, 16, 1],
      ["zone", ["b"], 8, 8, 1],
      [NO_AGGREGATE, ["c"], 0, 4, 0],
    ],
  );
});

test("without groups, each host that offers the class is there once", () => {
  const [all, ...others] = heatOf(HOSTS, "VCPU", false);
  assert.deepEqual([all.hosts.length, others.length], [3, 0]);
});

test("by tree, a cell is a provider, and disabled if its root is", () => {
  const inventories = { PGPU: { used: 1, capacity: 2 } };
  const parts = partsOf([
    {
      uuid: "r",
      name: "r",
      root_provider_uuid: "r",
      parent_provider_uuid: null,
      inventories: {},
      traits: ["COMPUTE_STATUS_DISABLED"],
    },
    {
      uuid: "c",
      name: "card",
      root_provider_uuid: "r",
      parent_provider_uuid: "r",
      inventories,
      traits: [],
    },
  ]);
  const [tree, ...others] = heatOf(parts, "PGPU", true);
  assert.deepEqual([tree.id, tree.hosts.map(({ name }) => name), others], ["r", ["card"], []]);
  assert.equal(tree.hosts[0].isDisabled, true);
});
