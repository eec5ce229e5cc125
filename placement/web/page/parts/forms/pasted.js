// Finds a query in what people paste: a URL or log line that has one, or the extra specs of a flavor,
// also in the form of a command. Pure.

const AFTER_QUESTION_MARK = /\?([^\s"'<>]+=[^\s"'<>]*)/;
const ADDRESS_OF_THIS_PAGE = /#\/\w+\?(\S+)/;
const BARE_RESOURCES = /^\s*[A-Z][A-Z0-9_]*:\d+(\s*,\s*[A-Z][A-Z0-9_]*:\d+)*\s*$/;
const BARE_QUERY = /^\s*([a-z_]+[\w-]*=\S+&\S+|resources[\w-]*=\S+)\s*$/;

// `key=value`, `key='value'`, `"key": "value"` and `| key | value |`.
const PROPERTY =
  /(?<![\w:.-])(group_policy|vcpus|ram|disk|swap|[A-Za-z][\w-]*:[\w.:-]+)['"]?\s*[=:|]\s*['"]?([^\s'",|}]+)/g;
// `--ram 4096`, as in `openstack flavor create`.
const OPTION = /(?<!\S)--(vcpus|ram|disk|swap|ephemeral)[\s=]+(?=\d)/g;
const POLICY = "group_policy";
const SPEC = /^(resources|trait)([\w-]{0,64}):(\w+)$/;
const TRAIT = { required: "", forbidden: "!" };
const EPHEMERAL = "OS-FLV-EXT-DATA:ephemeral";
const SIZES = ["vcpus", "ram", "disk", "swap"];
const MIB_IN_GIB = 1024;

// Returns {query, ignored}, the latter a list of what was not understood of a flavor; or null if the
// text asks for nothing. The service knows what is in the query.
export function read(text) {
  const query = queryIn(text);
  return query === null ? ofProperties(text) : { query, ignored: [] };
}

function queryIn(text) {
  const address = text.match(ADDRESS_OF_THIS_PAGE);
  if (address) {
    return new URLSearchParams(address[1]).get("q") || "";
  }
  if (BARE_RESOURCES.test(text)) {
    return `resources=${text.replace(/\s/g, "")}`;
  }
  const [, query] = text.match(AFTER_QUESTION_MARK) || text.match(BARE_QUERY) || [null, null];
  return query;
}

// As in nova, the sizes of a flavor are amounts, unless an extra spec overrides them.
function ofProperties(text) {
  const assigned = text.replace(OPTION, (_, name) => `${name === "ephemeral" ? EPHEMERAL : name}=`);
  const properties = [...assigned.matchAll(PROPERTY)].map(([, key, value]) => [key, value]);
  const groups = new Map();
  for (const [name, amount] of sizesOf(Object.fromEntries(properties))) {
    groupOf(groups, "").resources[name] = amount;
  }
  const others = properties.filter(([key, value]) => key !== POLICY && !take(groups, key, value));
  const policies = properties.filter(([key]) => key === POLICY);
  const ignored = others.filter(([key]) => !isAttribute(key)).map((each) => each.join("="));
  const pairs = [...[...groups.values()].flatMap(pairsOf), ...policies];
  return groups.size ? { query: queryString(pairs), ignored } : null;
}

function sizesOf({ vcpus, ram, disk, swap = 0, [EPHEMERAL]: ephemeral = 0 }) {
  const gibibytes = Number(disk) + Number(ephemeral) + Math.ceil(Number(swap) / MIB_IN_GIB);
  const amounts = { VCPU: vcpus, MEMORY_MB: ram, DISK_GB: disk && String(gibibytes) };
  return Object.entries(amounts).filter(([, amount]) => amount !== undefined);
}

function groupOf(groups, suffix) {
  if (!groups.has(suffix)) {
    groups.set(suffix, { suffix, resources: {}, traits: [] });
  }
  return groups.get(suffix);
}

// Adds what an extra spec asks for to the groups. Returns whether it asks for anything.
function take(groups, key, value) {
  const [, kind, suffix, name] = key.match(SPEC) || [];
  if (kind === "resources" && /^\d+$/.test(value)) {
    groupOf(groups, suffix).resources[name] = value;
  } else if (kind === "trait" && Object.hasOwn(TRAIT, value)) {
    groupOf(groups, suffix).traits.push(TRAIT[value] + name);
  } else {
    return false;
  }
  return true;
}

// An amount of 0 keeps the flavor's own size from being asked for.
function pairsOf({ suffix, resources, traits }) {
  const amounts = Object.entries(resources).filter(([, amount]) => Number(amount) > 0);
  return [
    [`resources${suffix}`, amounts.map((each) => each.join(":")).join(",")],
    [`required${suffix}`, traits.join(",")],
  ].filter(([, value]) => value);
}

function queryString(pairs) {
  return pairs.map((pair) => pair.join("=")).join("&");
}

function isAttribute(key) {
  return SIZES.includes(key) || /^os-/i.test(key);
}
