// What the heat map shows: hosts in groups, and how much of one class each has in use. Pure.

import { isDisabled, sortedBy } from "../hosts.js";

// How many shades there are besides empty and full.
const SHADES = 8;

// The group of the hosts that are in no aggregate.
export const NO_AGGREGATE = "";

// Returns the shade of a host: null if it does not offer the class, 0 if nothing is used,
// SHADES + 1 if nothing is left, otherwise one in between.
export function shadeOf(sum) {
  if (!sum) {
    return null;
  }
  if (sum.used >= sum.capacity) {
    return SHADES + 1;
  }
  return sum.used === 0 ? 0 : 1 + Math.floor((SHADES * sum.used) / sum.capacity);
}

// Returns [{id, hosts, sum, full}] of hosts, as hostsOf() or partsOf() makes them: a group for each
// aggregate, so that a host in two of them is in both, or one for all hosts. `sum` is what a Bar
// shows, `full` the number of hosts with nothing left; hosts that do not offer the class are left
// out.
export function heatOf(hosts, className, byAggregate) {
  const groups = new Map();
  for (const host of sortedBy(hosts, ({ name }) => name)) {
    if (host.sums.has(className)) {
      const ids = byAggregate && host.aggregates.length ? host.aggregates : [NO_AGGREGATE];
      for (const id of ids) {
        if (!groups.has(id)) {
          groups.set(id, []);
        }
        groups.get(id).push(host);
      }
    }
  }
  return [...groups].map(([id, members]) => ({ id, hosts: members, ...sumsOf(members, className) }));
}

// Returns the providers of all trees in the form of hosts, each in a single aggregate: its root.
export function partsOf(providers) {
  const disabled = new Set(providers.filter(isDisabled).map(({ uuid }) => uuid));
  return providers.map(({ uuid, name, root_provider_uuid: root, inventories }) => ({
    uuid,
    name,
    aggregates: [root],
    isDisabled: disabled.has(root),
    sums: new Map(Object.entries(inventories)),
  }));
}

function sumsOf(hosts, className) {
  const sums = hosts.map((host) => host.sums.get(className));
  return {
    sum: {
      total: 0,
      reserved: 0,
      used: sums.reduce((sum, { used }) => sum + used, 0),
      capacity: sums.reduce((sum, { capacity }) => sum + capacity, 0),
    },
    full: sums.filter((sum) => shadeOf(sum) === SHADES + 1).length,
  };
}
