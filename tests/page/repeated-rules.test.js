// Rules that the page and the service both have; tests of the service use the same cases.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { shadeOf } from "../../placement/web/page/parts/charts/heat.js";
import { isDisabled } from "../../placement/web/page/parts/hosts.js";
import { ago, count, shareUsed } from "../../placement/web/page/parts/numbers.js";

const CASES = JSON.parse(readFileSync(new URL("../repeated_rules.json", import.meta.url)));
const FULL = shadeOf({ used: 1, capacity: 1 });

test("what is full for the service is full on the map", () => {
  for (const inventory of CASES.inventories) {
    assert.equal(shadeOf(inventory) === FULL, inventory.full, JSON.stringify(inventory));
  }
});

test("the share that is used is that of the service", () => {
  for (const inventory of CASES.inventories) {
    assert.equal(shareUsed(inventory), inventory.share, JSON.stringify(inventory));
  }
});

test("what is disabled for the service is disabled on the page", () => {
  for (const { is_root, traits, disabled } of CASES.providers) {
    const provider = { parent_provider_uuid: is_root ? null : "root", traits };
    assert.equal(isDisabled(provider), disabled, traits.join());
  }
});

test("things are counted in the words of the commands", () => {
  for (const { number, noun, said } of CASES.counts) {
    assert.equal(count(number, noun), said);
  }
});

test("a moment is shown by the largest unit that fits, as by the commands", () => {
  const now = 10 ** 12;
  for (const { seconds, said } of CASES.ages) {
    assert.equal(ago(now - seconds * 1000, now), said);
  }
});
