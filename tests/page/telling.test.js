// What is said about recorded changes.

import assert from "node:assert/strict";
import test from "node:test";

import {
  authorOf,
  dayName,
  daysOf,
  idsOf,
  queryOf,
} from "../../placement/web/page/parts/history/telling.js";

const NOVA = { user_id: "nova", project_id: "service" };

test("changes are grouped by day and stay in their order", () => {
  const at = (moment) => ({ at: moment });
  const [late, early] = [at("2026-01-05T23:59:59Z"), at("2026-01-05T00:00:00Z")];
  const before = at("2026-01-04T23:59:59Z");
  assert.deepEqual(daysOf([late, early, before]), [
    { day: "2026-01-05", changes: [late, early] },
    { day: "2026-01-04", changes: [before] },
  ]);
  assert.deepEqual(daysOf([]), []);
});

test("a day is that of UTC, wherever the reader is", () => {
  const now = Date.parse("2026-01-05T00:00:01Z");
  assert.equal(dayName("2026-01-05", now), "Today, Monday, January 5");
  assert.equal(dayName("2026-01-04", now), "Yesterday, Sunday, January 4");
  assert.equal(dayName("2026-01-03", now), "Saturday, January 3");
  assert.equal(dayName("2026-01-06", now), "Tuesday, January 6");
});

test("who made a change is a user, a command or another program", () => {
  assert.deepEqual(authorOf({ actor: NOVA, by: "service" }), { user: "nova", project: "service" });
  const nobody = { user_id: null, project_id: null };
  assert.deepEqual(authorOf({ actor: nobody, by: "command" }), { program: "placement-manage" });
  assert.deepEqual(authorOf({ actor: null, by: "database" }), { program: "Another program" });
  assert.deepEqual(authorOf({ actor: nobody, by: "service" }), {
    program: "A caller without a user",
  });
});

test("names are asked for only where the operator may have given some", () => {
  const sentence = [
    { text: "moved instance ", kind: null, id: null },
    { text: "vm", kind: "consumer", id: "vm" },
    { text: "b2", kind: "host", id: "uuid" },
    { text: "4", kind: "amount", id: "VCPU" },
    { text: "rack", kind: "aggregate", id: "rack" },
  ];
  const changes = [{ actor: NOVA, by: "service", sentence }];
  assert.deepEqual(idsOf(changes), ["nova", "service", "vm", "rack"]);
});

test("what does not matter is not asked for", () => {
  assert.deepEqual(queryOf("1d", { kind: "traits" }), { kind: "traits", since: "1d" });
  assert.deepEqual(queryOf("all", { kind: "" }), {});
});
