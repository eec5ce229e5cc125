// Words for recorded changes: when they were made, and by whom. Pure.

const DAY = new Intl.DateTimeFormat("en", {
  weekday: "long",
  day: "numeric",
  month: "long",
  timeZone: "UTC",
});
const DAY_LENGTH = 24 * 3600e3;
const RECENT = ["Today", "Yesterday"];

// How far back to look, in the words of a query; a query for everything leaves it out.
const EVERYTHING = "all";
export const PERIODS = {
  "1h": "Last hour",
  "1d": "Last day",
  "1w": "Last week",
  [EVERYTHING]: "Whole history",
};

// Returns the query for the changes of a period; values of `filters` that are "" are left out.
export function queryOf(period, filters) {
  const since = period === EVERYTHING ? "" : period;
  return Object.fromEntries(Object.entries({ ...filters, since }).filter(([, value]) => value));
}

// The subjects of changes: the service's word for each, and the page's.
export const SUBJECTS = {
  allocations: "Allocations of instances",
  provider: "Hosts and other providers",
  inventories: "Inventories",
  traits: "Traits",
  aggregates: "Aggregates",
  resource_class: "Resource classes",
  trait: "Names of traits",
};

// Returns the day of a change in UTC, such as "2026-01-05".
export function dayOf(change) {
  return change.at.slice(0, 10);
}

// Returns [{day, changes}] in the order of the changes.
export function daysOf(changes) {
  const days = [];
  changes.forEach((change) => {
    const day = dayOf(change);
    if (days.at(-1)?.day !== day) {
      days.push({ day, changes: [] });
    }
    days.at(-1).changes.push(change);
  });
  return days;
}

// Returns a day for people, such as "Today, Monday, January 5"; `now` is in milliseconds.
export function dayName(day, now = Date.now()) {
  const name = DAY.format(new Date(day));
  const today = Math.floor(now / DAY_LENGTH);
  const ago = today - Date.parse(day) / DAY_LENGTH;
  return ago in RECENT ? `${RECENT[ago]}, ${name}` : name;
}

// Returns who made a change: {user, project}, ids that may have names, or {program}, a name.
export function authorOf({ actor, by }) {
  if (by === "command") {
    return { program: "placement-manage" };
  }
  if (!actor) {
    return { program: "Another program" };
  }
  return actor.user_id
    ? { user: actor.user_id, project: actor.project_id }
    : { program: "A caller without a user" };
}

// Returns the ids in changes to which the operator may have given names.
export function idsOf(changes) {
  return changes.flatMap((change) => {
    const { user, project } = authorOf(change);
    const named = change.sentence.filter(({ kind }) => GIVEN.includes(kind));
    return [user, project, ...named.map(({ id }) => id)].filter(Boolean);
  });
}

// Providers have names of their own.
const GIVEN = ["consumer", "project", "aggregate"];
