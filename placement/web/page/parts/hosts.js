// Turns the providers of an answer into hosts: each a root with the tree below it.

const COLLATOR = new Intl.Collator("en", { numeric: true });

// A shorter text would match too many UUIDs.
const UUID_FROM = 4;

// Nova gives it to the root of a host whose service is disabled.
export const DISABLED = "COMPUTE_STATUS_DISABLED";

export const SHARES = "MISC_SHARES_VIA_AGGREGATE";

// Returns a host for each tree: {uuid, name, generation, isDisabled, sums, traits, customTraits,
// aggregates, names, uuids}. `sums` is a Map from each class to the sums of its inventories; the
// last two are texts, of the whole tree, to search in.
export function hostsOf(providers) {
  return [...treesOf(providers)].map(([rootUuid, tree]) => {
    const root = tree.find((each) => each.uuid === rootUuid) || tree[0];
    const traits = union(tree.map((each) => each.traits));
    return {
      uuid: root.uuid,
      name: root.name,
      generation: root.generation,
      isDisabled: isDisabled(root),
      sums: sumsOf(tree),
      traits,
      customTraits: traits.filter(isCustom).sort(),
      aggregates: union(tree.map((each) => each.aggregates)),
      names: tree.map((each) => each.name).join("\n").toLowerCase(),
      uuids: tree.map((each) => `\n${each.uuid}`).join(""),
    };
  });
}

// Only a root can be a host; for others, the trait means nothing.
export function isDisabled({ parent_provider_uuid: parent, traits }) {
  return parent === null && traits.includes(DISABLED);
}

// Returns the providers of a tree as [{provider, children}], the latter of the same form.
export function nested(providers) {
  const uuids = new Set(providers.map((each) => each.uuid));
  const below = (parent) =>
    providers
      .filter((each) => (parent ? each.parent_provider_uuid === parent : !isBelow(each, uuids)))
      .sort((one, other) => COLLATOR.compare(one.name, other.name))
      .map((provider) => ({ provider, children: below(provider.uuid) }));
  return below(null);
}

// Returns [{uuid, type, project, user, since, takes}]; `takes` is [{provider, resources}].
export function consumersOf(providers) {
  const consumers = new Map();
  for (const provider of providers) {
    for (const [uuid, allocation] of Object.entries(provider.allocations)) {
      if (!consumers.has(uuid)) {
        consumers.set(uuid, {
          uuid,
          type: allocation.consumer_type,
          project: allocation.project_id,
          user: allocation.user_id,
          since: allocation.created_at,
          takes: [],
        });
      }
      consumers.get(uuid).takes.push({ provider, resources: allocation.resources });
    }
  }
  return sortedBy([...consumers.values()], (consumer) => consumer.since);
}

// Returns the classes, those of most hosts first.
export function classesOf(hosts) {
  return tallied(hosts.flatMap((host) => [...host.sums.keys()])).map(([name]) => name);
}

// Returns [[name, how often it occurs]], the most frequent first.
export function tallied(names) {
  const counts = new Map();
  names.forEach((name) => counts.set(name, (counts.get(name) ?? 0) + 1));
  return [...counts].sort(([, one], [, other]) => other - one);
}

function isCustom(trait) {
  return trait.startsWith("CUSTOM_");
}

// Custom traits come first.
export function traitsInOrder(traits) {
  return [...traits].sort(
    (one, other) => isCustom(other) - isCustom(one) || COLLATOR.compare(one, other),
  );
}

// Every host meets a condition that is "" or null; `roots` is a Set of UUIDs.
export function chosen(hosts, { search, trait, aggregate, roots }) {
  const text = search.trim().toLowerCase();
  return hosts.filter(
    (host) =>
      (!text || isCalled(host, text)) &&
      (!trait || host.traits.includes(trait)) &&
      (!aggregate || host.aggregates.includes(aggregate)) &&
      (!roots || roots.has(host.uuid)),
  );
}

function isCalled({ names, uuids }, text) {
  return names.includes(text) || (text.length >= UUID_FROM && uuids.includes(`\n${text}`));
}

// Returns the items sorted by key; those without one (null) come last in either direction.
export function sortedBy(items, keyOf, isDescending = false) {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  const sign = isDescending ? -1 : 1;
  keyed.sort((one, other) =>
    one.key === null || other.key === null
      ? (one.key === null) - (other.key === null)
      : sign * compared(one.key, other.key),
  );
  return keyed.map(({ item }) => item);
}

// Returns the Set of the roots in the requests of a GET /allocation_candidates answer. A tree that
// only shares its resources is not where an instance would be.
export function rootsWithRoom({ allocation_requests, provider_summaries }) {
  const roots = new Set();
  for (const { allocations } of allocation_requests) {
    const uuids = Object.keys(allocations);
    const own = uuids.filter((uuid) => !provider_summaries[uuid].traits.includes(SHARES));
    for (const uuid of own.length ? own : uuids) {
      roots.add(provider_summaries[uuid].root_provider_uuid);
    }
  }
  return roots;
}

function treesOf(providers) {
  const trees = new Map();
  for (const provider of providers) {
    const tree = trees.get(provider.root_provider_uuid);
    if (tree) {
      tree.push(provider);
    } else {
      trees.set(provider.root_provider_uuid, [provider]);
    }
  }
  return trees;
}

function sumsOf(tree) {
  const sums = new Map();
  for (const { inventories } of tree) {
    for (const [name, inventory] of Object.entries(inventories)) {
      const sum = sums.get(name) || { total: 0, reserved: 0, capacity: 0, used: 0 };
      sum.total += inventory.total;
      sum.reserved += inventory.reserved;
      sum.capacity += Math.max(inventory.capacity, 0);
      sum.used += inventory.used;
      sums.set(name, sum);
    }
  }
  return sums;
}

function union(lists) {
  return lists.length === 1 ? lists[0] : [...new Set(lists.flat())];
}

function isBelow(provider, uuids) {
  return uuids.has(provider.parent_provider_uuid);
}

function compared(one, other) {
  return typeof one === "string" ? COLLATOR.compare(one, other) : one - other;
}
