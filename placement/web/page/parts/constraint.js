// The constraints of an explanation, in words.

import { number } from "./numbers.js";

const WORDS = {
  in_tree: (value) => `in the tree of ${value}`,
  member_of: (value) => `in aggregate ${anyOf(value)}`,
  not_member_of: (value) => `not in aggregate ${anyOf(value)}`,
  required: (value) => `trait ${anyOf(value)}`,
  forbidden: (value) => `without trait ${anyOf(value)}`,
  resources: (value) => amountOf(value),
  root_required: (value) => `trait ${value} on the root`,
  root_forbidden: (value) => `on the root, no trait ${anyOf(value)}`,
  group_policy: (value) => `groups on ${value === "none" ? "any" : "different"} providers`,
  same_subtree: (value) => `${value.replaceAll(",", " and ")} in one subtree`,
  together: () => "all of this at once",
};

// Returns a constraint in words, as a request states it.
export function wordsOf({ constraint, value }) {
  return WORDS[constraint](value);
}

// "8 VCPU" of "VCPU:8".
function amountOf(value) {
  const [name, amount] = value.split(":");
  return `${number(Number(amount))} ${name}`;
}

function anyOf(value) {
  return value.replace(/^in:/, "").split(",").join(" or ");
}

// For several hosts, for one, and the rest, with the limit of the most generous host.
const REASONS = {
  no_inventory: () => ["offer", "offers", "none"],
  max_unit: (limit) => ["give", "gives", `at most ${number(limit)} at once (max_unit)`],
  min_unit: (limit) => ["give", "gives", `at least ${number(limit)} at once (min_unit)`],
  step_size: (limit) => ["give", "gives", `it in steps of ${number(limit)} (step_size)`],
  capacity: (limit) => ["have", "has", `too little free (at most ${number(limit)})`],
};

// Returns why so many hosts fail: a list of sentences, of resources only.
export function reasonsOf({ why = {}, limits = {} }) {
  return Object.entries(why)
    .filter(([, hosts]) => hosts > 0)
    .map(([reason, hosts]) => {
      const [plural, singular, rest] = REASONS[reason](limits[reason]);
      return `${number(hosts)} ${hosts === 1 ? singular : plural} ${rest}`;
    });
}

const SHORTAGES = {
  no_inventory: () => "none offered",
  max_unit: ({ unit }) => `at most ${number(unit)} at once (max_unit)`,
  min_unit: ({ unit }) => `at least ${number(unit)} at once (min_unit)`,
  step_size: ({ unit }) => `only in steps of ${number(unit)} (step_size)`,
  capacity: ({ free, reserved }) =>
    `${number(free)} free` + (reserved ? `, ${number(reserved)} reserved` : ""),
};

// Returns what a host has instead of what it lacks, or "".
export function shortageOf(unmet) {
  return unmet.why ? SHORTAGES[unmet.why](unmet) : "";
}
