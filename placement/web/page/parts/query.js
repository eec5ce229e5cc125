// The query of GET /allocation_candidates, as forms and answers work with it. Pure.
//
// A request is {groups, group_policy, same_subtree, root_required, root_forbidden}, a group
// {suffix, resources, required, forbidden, member_of, not_member_of, in_tree}: the names are those
// of the constraints in an explanation. `resources` is [[class, amount]]. `required` and `member_of`
// are lists of alternatives, each of which must be met: [["A"], ["B", "C"]] is A, and B or C.
// `same_subtree` is [[suffix, ...]]; the other plurals are lists of names.

const KEY_OF_GROUP = /^(resources|required|member_of|in_tree)([\w-]{0,64})$/;
const ANY_OF = "in:";
const NOT = "!";

export function newGroup(suffix) {
  return {
    suffix,
    resources: [],
    required: [],
    forbidden: [],
    member_of: [],
    not_member_of: [],
    in_tree: "",
  };
}

export function newRequest(groups = []) {
  return { groups, group_policy: "", same_subtree: [], root_required: [], root_forbidden: [] };
}

// Returns the request of a query string; parameters that are not part of a request are left out.
export function parse(query) {
  const request = newRequest();
  for (const [key, value] of new URLSearchParams(query)) {
    const [, name, suffix] = key.match(KEY_OF_GROUP) || [];
    if (name) {
      READERS[name](groupOf(request, suffix), value);
    } else if (key === "group_policy") {
      request.group_policy = value;
    } else if (key === "same_subtree") {
      request.same_subtree.push(namesOf(value));
    } else if (key === "root_required") {
      for (const trait of namesOf(value)) {
        isForbidden(trait)
          ? request.root_forbidden.push(trait.slice(NOT.length))
          : request.root_required.push(trait);
      }
    }
  }
  return request;
}

// Is this parameter part of a request? `limit` is not.
export function isPartOfRequest(key) {
  return KEY_OF_GROUP.test(key) || ["group_policy", "same_subtree", "root_required"].includes(key);
}

const READERS = {
  resources(group, value) {
    group.resources = namesOf(value).map((each) => each.split(":"));
  },
  required(group, value) {
    if (value.startsWith(ANY_OF)) {
      group.required.push(namesOf(value.slice(ANY_OF.length)));
      return;
    }
    for (const trait of namesOf(value)) {
      isForbidden(trait)
        ? group.forbidden.push(trait.slice(NOT.length))
        : group.required.push([trait]);
    }
  },
  member_of(group, value) {
    const aggregates = namesOf(value.replace(/^!?(in:)?/, ""));
    isForbidden(value) ? group.not_member_of.push(...aggregates) : group.member_of.push(aggregates);
  },
  in_tree(group, value) {
    group.in_tree = value.trim();
  },
};

// Returns the group of a suffix, and adds it to the request if it is new.
export function groupOf(request, suffix) {
  const found = request.groups.find((group) => group.suffix === suffix);
  if (found) {
    return found;
  }
  const group = newGroup(suffix);
  request.groups.push(group);
  return group;
}

// Returns the query string of a request; groups that ask for nothing are left out.
export function format(request) {
  const pairs = request.groups.flatMap(pairsOf);
  const granular = request.groups.filter((group) => group.suffix && pairsOf(group).length);
  if (granular.length > 1) {
    pairs.push(["group_policy", request.group_policy || "none"]);
  }
  request.same_subtree.forEach((suffixes) => pairs.push(["same_subtree", suffixes.join(",")]));
  const root = [...request.root_required, ...request.root_forbidden.map((trait) => NOT + trait)];
  return queryString([...pairs, ...(root.length ? [["root_required", root.join(",")]] : [])]);
}

// Leaves readable what a query string need not escape.
export function queryString(pairs) {
  return pairs
    .map((pair) => pair.map((text) => encodeURIComponent(text).replace(/%3A|%2C/g, decodeURIComponent)))
    .map((pair) => pair.join("="))
    .join("&");
}

function pairsOf(group) {
  const amounts = group.resources.map((each) => each.join(":"));
  const single = group.required.filter((traits) => traits.length === 1);
  const several = group.required.filter((traits) => traits.length > 1);
  const traits = [...single.flat(), ...group.forbidden.map((trait) => NOT + trait)];
  return [
    ["resources", amounts.join(",")],
    ["required", traits.join(",")],
    ...several.map((traits) => ["required", valueOf(traits)]),
    ...group.member_of.map((aggregates) => ["member_of", valueOf(aggregates)]),
    ["member_of", group.not_member_of.length ? NOT + valueOf(group.not_member_of) : ""],
    ["in_tree", group.in_tree],
  ]
    .filter(([, value]) => value)
    .map(([name, value]) => [name + group.suffix, value]);
}

// Returns alternatives as queries write them and, if sorted, as explanations do.
function valueOf(names) {
  return (names.length > 1 ? ANY_OF : "") + names.join(",");
}

function namesOfValue(value) {
  return value ? value.replace(ANY_OF, "").split(",") : [];
}

function isForbidden(text) {
  return text.startsWith(NOT);
}

// The service refuses a query without resources.
export function asksForResources(request) {
  return request.groups.some((group) => group.resources.length > 0);
}

// Returns a request without one constraint or, if there is an `instead`, with that in its place:
// another amount, a corrected name, or fewer names. Takes a relaxation of an explanation, and
// applies its further changes as well.
export function relaxed(request, { also = [], ...change }) {
  return ofServedGroups([change, ...also].reduce(changed, request));
}

function changed(request, { group, constraint, value, instead }) {
  if (constraint === "group_policy") {
    return { ...request, group_policy: instead };
  }
  if (constraint in request) {
    return { ...request, [constraint]: without(request[constraint], constraint, value, instead) };
  }
  const groups = request.groups.map((each) =>
    each.suffix === group
      ? { ...each, [constraint]: without(each[constraint], constraint, value, instead) }
      : each,
  );
  return { ...request, groups };
}

function without(asked, constraint, value, instead) {
  switch (constraint) {
    case "resources": {
      const [name] = value.split(":");
      return instead
        ? asked.map((each) => (each[0] === name ? instead.split(":") : each))
        : asked.filter((each) => each[0] !== name);
    }
    case "required":
    case "member_of":
      return asked
        .map((names) => (valueOf([...names].sort()) === value ? namesOfValue(instead) : names))
        .filter((names) => names.length);
    case "same_subtree":
      return asked
        .map((each) => ([...each].sort().join(",") === value ? namesOfValue(instead) : each))
        .filter((each) => each.length);
    case "root_required":
      return asked.map((trait) => (trait === value ? instead : trait)).filter(Boolean);
    case "in_tree":
      return instead ?? "";
    default:
      return namesOfValue(instead);
  }
}

// A group without resources is removed, unless same_subtree still names it.
function ofServedGroups(request) {
  const isBound = (group) => request.same_subtree.flat().includes(group.suffix);
  const groups = request.groups.filter(
    (group) => group.resources.length || (group.suffix && isBound(group) && pairsOf(group).length),
  );
  const suffixes = new Set(groups.map((group) => group.suffix));
  const same_subtree = request.same_subtree
    .map((each) => each.filter((suffix) => suffixes.has(suffix)))
    .filter((each) => each.length);
  return { ...request, groups, same_subtree };
}

// Returns a request in which every `from` is replaced by another name.
export function renamed(request, from, to) {
  return JSON.parse(JSON.stringify(request), (_, value) => (value === from ? to : value));
}

// Lists as people write them: "A, B or C". Commas may be missing.

export function textOf(alternatives) {
  return alternatives.map((names) => names.join(" or ")).join(", ");
}

export function alternativesOf(text) {
  return namesOf(text.trim().replace(/\s+or\s+|\s*\|\s*/g, "|"))
    .map((each) => each.split("|").filter(Boolean))
    .filter((names) => names.length);
}

export function namesOf(text) {
  return text.split(/[,\s]+/).filter(Boolean);
}
