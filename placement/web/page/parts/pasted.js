// Reads what people paste: a query, a URL or log line that has one, or the extra specs of a flavor,
// also in the form of a command. Pure.

import { groupOf, isPartOfRequest, newRequest, parse, queryString } from "./query.js";

const AFTER_QUESTION_MARK = /\?([^\s"'<>]+=[^\s"'<>]*)/;
const ADDRESS_OF_THIS_PAGE = /#\/\w+\?(\S+)/;
const BARE_RESOURCES = /^\s*[A-Z][A-Z0-9_]*:\d+(\s*,\s*[A-Z][A-Z0-9_]*:\d+)*\s*$/;
const BARE_QUERY = /^\s*([a-z_]+[\w-]*=\S+&\S+|resources[\w-]*=\S+)\s*$/;

// `key=value`, `key='value'`, `"key": "value"` and `| key | value |`.
const PROPERTY =
  /(?<![\w:.-])(group_policy|vcpus|ram|disk|swap|[A-Za-z][\w-]*:[\w.:-]+)['"]?\s*[=:|]\s*['"]?([^\s'",|}]+)/g;
// `--ram 4096`, as in `openstack flavor create`.
const OPTION = /(?<!\S)--(vcpus|ram|disk|swap|ephemeral)[\s=]+(?=\d)/g;
const SPEC = /^(resources|trait)([\w-]{0,64}):(\w+)$/;
const EPHEMERAL = "OS-FLV-EXT-DATA:ephemeral";
const SIZES = ["vcpus", "ram", "disk", "swap"];
const MIB_IN_GIB = 1024;

// Returns {request, ignored}, the latter a list of what was not understood; or null if the text
// asks for nothing.
export function read(text) {
  const query = queryIn(text);
  return query === null ? ofProperties(text) : ofQuery(query);
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

function ofQuery(query) {
  const pairs = [...new URLSearchParams(query)];
  const others = pairs.filter(([key]) => !isPartOfRequest(key) && key !== "limit");
  const request = parse(queryString(pairs.filter(([key]) => isPartOfRequest(key))));
  return request.groups.length ? { request, ignored: others.map((each) => each.join("=")) } : null;
}

// As in nova, the sizes of a flavor are amounts, unless an extra spec overrides them.
function ofProperties(text) {
  const assigned = text.replace(OPTION, (_, name) => `${name === "ephemeral" ? EPHEMERAL : name}=`);
  const properties = [...assigned.matchAll(PROPERTY)].map(([, key, value]) => [key, value]);
  const request = newRequest();
  for (const [name, amount] of sizesOf(Object.fromEntries(properties))) {
    setAmount(groupOf(request, ""), name, amount);
  }
  const others = properties.filter((property) => !take(request, ...property));
  for (const group of request.groups) {
    group.resources = group.resources.filter(([, amount]) => Number(amount) > 0);
  }
  const ignored = others.filter(([key]) => !isAttribute(key)).map((each) => each.join("="));
  return request.groups.length ? { request, ignored } : null;
}

function sizesOf({ vcpus, ram, disk, swap = 0, [EPHEMERAL]: ephemeral = 0 }) {
  const gibibytes = Number(disk) + Number(ephemeral) + Math.ceil(Number(swap) / MIB_IN_GIB);
  const amounts = { VCPU: vcpus, MEMORY_MB: ram, DISK_GB: disk && String(gibibytes) };
  return Object.entries(amounts).filter(([, amount]) => amount !== undefined);
}

// Adds what an extra spec asks for to the request. Returns whether it asks for anything.
function take(request, key, value) {
  const [, kind, suffix, name] = key.match(SPEC) || [];
  if (kind === "resources" && /^\d+$/.test(value)) {
    setAmount(groupOf(request, suffix), name, value);
  } else if (kind === "trait" && value === "required") {
    groupOf(request, suffix).required.push([name]);
  } else if (kind === "trait" && value === "forbidden") {
    groupOf(request, suffix).forbidden.push(name);
  } else if (key === "group_policy") {
    request.group_policy = value;
  } else {
    return false;
  }
  return true;
}

function setAmount(group, name, amount) {
  group.resources = [...group.resources.filter((each) => each[0] !== name), [name, amount]];
}

function isAttribute(key) {
  return SIZES.includes(key) || /^os-/i.test(key);
}
