// How often each number occurs.

import assert from "node:assert/strict";
import test from "node:test";

import { histogramOf } from "../../placement/web/page/parts/charts/histogram.js";

test("few numbers stand for themselves", () => {
  assert.deepEqual(histogramOf({ 0: 1, 3: 2, 40: 1 }), [
    [0, 0, 1],
    [3, 3, 2],
    [40, 40, 1],
  ]);
  assert.deepEqual(histogramOf({ 0: 2 }), [[0, 0, 2]]);
  assert.deepEqual(histogramOf({ 0: 0, 3: 1 }), [[3, 3, 1]]);
});

test("many are counted in ranges, the last of which ends with the largest", () => {
  const ranges = histogramOf({ ...Array(29).fill(1) });
  assert.deepEqual(ranges[0], [0, 0, 1]);
  assert.deepEqual(ranges[1], [1, 3, 3]);
  assert.deepEqual(ranges.at(-1), [28, 28, 1]);
});
