// Why hosts do not meet a constraint on resources, in words.

import { number } from "./numbers.js";

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
