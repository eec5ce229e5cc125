// What the views of hosts make of providers, and which of them they show.

import assert from "node:assert/strict";
import test from "node:test";

import {
  chosen,
  classesOf,
  consumersOf,
  hostsOf,
  nested,
  rootsWithRoom,
  sortedBy,
  traitsInOrder,
} from "../../placement/web/page/parts/hosts.js";

const EVERY = { search: "", trait: "", aggregate: "", roots: null };

function provider(uuid, name, rest = {}) {
  return {
    uuid,
    name,
    generation: 1,
    parent_provider_uuid: null,
    root_provider_uuid: uuid,
    inventories: {},
    traits: [],
    aggregates: [],
    allocations: {},
    ...rest,
  };
}

function child(uuid, name, parent, rest) {
  return provider(uuid, name, {
    parent_provider_uuid: parent,
    root_provider_uuid: "aaaa-1",
    ...rest,
  });
}

function inventory(total, used, rest = {}) {
  return { total, reserved: 0, allocation_ratio: 1, capacity: total, used, ...rest };
}

const TREE = [
  provider("aaaa-1", "host", { inventories: { DISK_GB: inventory(100, 10) }, traits: ["HW_B"] }),
  child("bbbb-1", "host-numa10", "aaaa-1", { inventories: { VCPU: inventory(8, 2) } }),
  child("bbbb-2", "host-numa2", "aaaa-1", {
    inventories: { VCPU: inventory(8, 4, { reserved: 2, capacity: 6 }) },
    traits: ["HW_B", "CUSTOM_A"],
  }),
  child("cccc-1", "host-gpu", "bbbb-2", { aggregates: ["rack"] }),
];
const FLAT = provider("dddd-1", "flat", { inventories: { DISK_GB: inventory(50, 40) } });

test("a host is disabled if its root is", () => {
  const traits = ["COMPUTE_STATUS_DISABLED"];
  const [one, other] = hostsOf([
    provider("aaaa-1", "one", { traits }),
    provider("bbbb-1", "other"),
    child("aaaa-2", "below", "aaaa-1"),
  ]);
  assert.deepEqual([one.isDisabled, other.isDisabled], [true, false]);
});

test("a host is the sum of its tree", () => {
  const [host, flat] = hostsOf([...TREE, FLAT]);
  assert.equal(host.name, "host");
  assert.deepEqual(host.sums.get("VCPU"), { total: 16, reserved: 2, capacity: 14, used: 6 });
  assert.deepEqual(host.traits, ["HW_B", "CUSTOM_A"]);
  assert.deepEqual(host.customTraits, ["CUSTOM_A"]);
  assert.deepEqual(host.aggregates, ["rack"]);
  assert.equal(flat.sums.has("VCPU"), false);
});

test("what more is reserved than there is takes nothing from others", () => {
  const [host] = hostsOf([
    provider("aaaa-1", "host", { inventories: { VCPU: inventory(8, 0) } }),
    child("bbbb-1", "over", "aaaa-1", {
      inventories: { VCPU: inventory(8, 0, { reserved: 10, capacity: -2 }) },
    }),
  ]);
  assert.equal(host.sums.get("VCPU").capacity, 8);
});

test("the class of most hosts comes first", () => {
  assert.deepEqual(classesOf(hostsOf([...TREE, FLAT])), ["DISK_GB", "VCPU"]);
});

test("a tree is drawn from its root, in the order in which people count", () => {
  const outline = (trees) => trees.map((each) => [each.provider.name, outline(each.children)]);
  const numa2 = ["host-numa2", [["host-gpu", []]]];
  assert.deepEqual(outline(nested(TREE)), [["host", [numa2, ["host-numa10", []]]]]);
});

test("a search is for a name, or the first of a UUID, of anything in the tree", () => {
  const names = (search) =>
    chosen(hostsOf([...TREE, FLAT]), { ...EVERY, search }).map((each) => each.name);
  assert.deepEqual(names(" NUMA2 "), ["host"]);
  assert.deepEqual(names("cccc"), ["host"]);
  assert.deepEqual(names("DDDD-1"), ["flat"]);
  assert.deepEqual(names("d"), []);
  assert.deepEqual(names(""), ["host", "flat"]);
});

test("hosts are chosen by trait, aggregate and room", () => {
  const names = (wanted) =>
    chosen(hostsOf([...TREE, FLAT]), { ...EVERY, ...wanted }).map((each) => each.name);
  assert.deepEqual(names({ trait: "CUSTOM_A" }), ["host"]);
  assert.deepEqual(names({ aggregate: "rack" }), ["host"]);
  assert.deepEqual(names({ roots: new Set(["dddd-1"]) }), ["flat"]);
  assert.deepEqual(names({ trait: "CUSTOM_A", roots: new Set(["dddd-1"]) }), []);
});

test("what has nothing to sort by comes last, either way", () => {
  const ordered = (keys, isDescending) => sortedBy(keys, (key) => key, isDescending);
  assert.deepEqual(ordered([2, null, 10, 1]), [1, 2, 10, null]);
  assert.deepEqual(ordered([2, null, 10, 1], true), [10, 2, 1, null]);
  assert.deepEqual(ordered(["host10", "host9"]), ["host9", "host10"]);
});

test("custom traits come first", () => {
  assert.deepEqual(traitsInOrder(["HW_B", "CUSTOM_Z", "HW_A"]), ["CUSTOM_Z", "HW_A", "HW_B"]);
});

test("room is in the tree of an instance, and not in one that shares with it", () => {
  const summaries = {
    node: { root_provider_uuid: "host", traits: [] },
    disk: { root_provider_uuid: "storage", traits: ["MISC_SHARES_VIA_AGGREGATE"] },
  };
  const roots = (...uuids) =>
    rootsWithRoom({
      allocation_requests: [{ allocations: Object.fromEntries(uuids.map((uuid) => [uuid, {}])) }],
      provider_summaries: summaries,
    });
  assert.deepEqual(roots("node", "disk"), new Set(["host"]));
  assert.deepEqual(roots("disk"), new Set(["storage"]));
});

test("a consumer is shown once, with all that it takes; the oldest first", () => {
  const allocation = (amounts, created_at) => ({
    resources: amounts,
    consumer_type: "INSTANCE",
    project_id: "project",
    user_id: "user",
    created_at,
  });
  const since = "2026-01-05T08:30:00Z";
  const consumers = consumersOf([
    provider("aaaa-1", "host", {
      allocations: {
        unknown: allocation({ DISK_GB: 1 }, null),
        old: allocation({ DISK_GB: 10 }, since),
      },
    }),
    child("bbbb-1", "node", "aaaa-1", { allocations: { old: allocation({ VCPU: 4 }, since) } }),
  ]);
  const amounts = ({ takes }) => takes.map((each) => [each.provider.name, each.resources]);
  assert.deepEqual(
    consumers.map((each) => [each.uuid, each.since, amounts(each)]),
    [
      ["old", since, [["host", { DISK_GB: 10 }], ["node", { VCPU: 4 }]]],
      ["unknown", null, [["host", { DISK_GB: 1 }]]],
    ],
  );
});
