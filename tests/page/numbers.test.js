// How numbers are shown to people.

import assert from "node:assert/strict";
import test from "node:test";

import { amount, bytes, percent } from "../../placement/web/page/parts/numbers.js";

test("an amount of bytes is shown in a unit that suits it", () => {
  assert.equal(bytes(1148928, "MEMORY_MB"), "1.1 TiB");
  assert.equal(bytes(512, "MEMORY_MB"), "512 MiB");
  assert.equal(bytes(0, "DISK_GB"), "0 GiB");
  assert.equal(bytes(2000, "DISK_GB"), "2 TiB");
  assert.equal(bytes(2 ** 50, "DISK_GB"), "1,048,576 EiB");
});

test("not all amounts are of bytes", () => {
  assert.equal(bytes(4096, "VCPU"), null);
  assert.equal(bytes(4096, "NET_BW_EGR_KILOBIT_PER_SEC"), null);
});

test("what is neither nothing nor all does not look like it", () => {
  assert.deepEqual(
    [percent(0, 1000), percent(1, 1000), percent(999, 1000), percent(1000, 1000)],
    ["0 %", "< 1 %", "99 %", "100 %"],
  );
});

test("amounts that are not of bytes stay numbers", () => {
  assert.equal(amount(4096, "VCPU"), "4,096");
  assert.equal(amount(4096, "MEMORY_MB"), "4 GiB");
});
