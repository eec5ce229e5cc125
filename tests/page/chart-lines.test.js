// The lines of the charts of how full the cloud was.

import assert from "node:assert/strict";
import test from "node:test";

import { linesOf } from "../../placement/web/page/parts/charts/chart-lines.js";

function sample(hour, used, capacity = 100) {
  return { at: new Date(Date.UTC(2026, 10, 24, hour)).toISOString(), used, capacity };
}

const lines = (samples, step = "1h") => linesOf(samples, step, 100, 10);

test("a line goes from the oldest sample to the newest, the most at its top", () => {
  const { used, capacity, most } = lines([sample(0, 0), sample(1, 50), sample(2, 100)]);
  assert.equal(used, "M0 10L50 5L100 0");
  assert.equal(capacity, "M0 0L50 0L100 0");
  assert.equal(most, 100);
});

test("the area ends at the ground", () => {
  assert.equal(lines([sample(0, 20), sample(1, 50)]).ground, "M0 8L100 5L100 10L0 10Z");
});

test("hours without samples are a gap", () => {
  const { used, ground } = lines([sample(0, 0), sample(1, 0), sample(9, 50), sample(10, 50)]);
  assert.equal(used, "M0 10L10 10M90 5L100 5");
  assert.equal(ground.match(/Z/g).length, 2);
});

test("a sample that is some minutes late leaves no gap", () => {
  assert.equal(lines([sample(0, 0), sample(2, 0)]).used, "M0 10L100 10");
  assert.equal(lines([sample(0, 0), sample(20, 0)], "10h").used, "M0 10L100 10");
});

test("more may be used than there is", () => {
  const { capacity, most } = lines([sample(0, 200), sample(1, 200)]);
  assert.equal(most, 200);
  assert.equal(capacity, "M0 5L100 5");
});

test("a single sample is a point", () => {
  assert.equal(lines([sample(0, 50)]).used, "M0 5L0 5");
});

test("a class of which nothing is left has a flat line", () => {
  assert.equal(lines([sample(0, 0, 0), sample(1, 0, -3)]).capacity, "M0 10L100 10");
});
