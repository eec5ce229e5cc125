// What people paste, as a query.

import assert from "node:assert/strict";
import test from "node:test";

import { read } from "../../placement/web/page/parts/forms/pasted.js";

test("a query is found in what is pasted", () => {
  const query = "resources=VCPU:4,MEMORY_MB:64&required=!CUSTOM_OLD";
  const encoded = "limit=1000&resources=VCPU%3A4%2CMEMORY_MB%3A64&required=%21CUSTOM_OLD";
  for (const text of [
    query,
    ` ?${encoded}\n`,
    `https://cloud.example:8778/placement/allocation_candidates?${encoded}`,
    `REQ: curl -g -i -X GET "http://[::1]/allocation_candidates?${encoded}" -H "Accept: */*"`,
    `2026-11-22 03:26:20.197 10042 INFO placement.requestlog [req-7d51 - - -] 10.0.0.5` +
      ` "GET /allocation_candidates?${encoded}" status: 200 len: 53 microversion: 1.36`,
    `http://127.0.0.1:8778/operator/#/why?q=${encodeURIComponent(query)}`,
  ]) {
    const found = read(text);
    assert.ok([query, encoded].includes(found.query), text);
    assert.deepEqual(found.ignored, []);
  }
});

test("extra specs are read, however they are printed", () => {
  const query = "resources=VCPU:4&required=CUSTOM_GOLD,!CUSTOM_OLD&resources1=SRIOV_NET_VF:1";
  for (const text of [
    "resources:VCPU=4 trait:CUSTOM_GOLD=required\ntrait:CUSTOM_OLD=forbidden\nresources1:SRIOV_NET_VF=1",
    "| properties | resources:VCPU='4', trait:CUSTOM_GOLD='required', trait:CUSTOM_OLD='forbidden'," +
      " resources1:SRIOV_NET_VF='1' |",
    JSON.stringify({
      properties: {
        "resources:VCPU": "4",
        "trait:CUSTOM_GOLD": "required",
        "trait:CUSTOM_OLD": "forbidden",
        "resources1:SRIOV_NET_VF": "1",
      },
    }),
  ]) {
    assert.equal(read(text).query, query, text);
  }
});

test("the sizes of a flavor are amounts, which extra specs override", () => {
  const flavor = `
    | OS-FLV-DISABLED:disabled   | False                                     |
    | OS-FLV-EXT-DATA:ephemeral  | 5                                         |
    | disk                       | 80                                        |
    | properties                 | hw:numa_nodes='2', resources:PCPU='4', resources:VCPU='0',
                                   resources_GPU:PGPU='1', trait_GPU:CUSTOM_A100='required'  |
    | ram                        | 8192                                      |
    | swap                       | 1500                                      |
    | vcpus                      | 4                                         |`;
  const { query, ignored } = read(flavor);
  assert.equal(
    query,
    "resources=MEMORY_MB:8192,DISK_GB:87,PCPU:4&resources_GPU=PGPU:1&required_GPU=CUSTOM_A100",
  );
  assert.deepEqual(ignored, ["hw:numa_nodes=2"]);
});

test("the options of a command that makes a flavor are read", () => {
  const { query, ignored } = read(
    "openstack flavor create gpu --property resources:CUSTOM_GPU=1 --ram 4096 --vcpus=2 --disk 20" +
      " --ephemeral 5 --property hw:numa_nodes=2",
  );
  assert.equal(query, "resources=VCPU:2,MEMORY_MB:4096,DISK_GB:25,CUSTOM_GPU:1");
  assert.deepEqual(ignored, ["hw:numa_nodes=2"]);
});

test("amounts need no name", () => {
  const amounts = "VCPU:4,MEMORY_MB:8192,DISK_GB:40";
  assert.equal(read(amounts).query, `resources=${amounts}`);
  assert.equal(read(" VCPU:4, DISK_GB:40\n").query, "resources=VCPU:4,DISK_GB:40");
});

test("what asks for nothing is not read", () => {
  assert.equal(read("No valid host was found. There are not enough hosts?"), null);
  assert.equal(read(""), null);
});

test("an extra spec that only looks like a trait is not one", () => {
  const { query, ignored } = read("resources:VCPU=1 trait:CUSTOM_A=constructor");
  assert.equal(query, "resources=VCPU:1");
  assert.deepEqual(ignored, ["trait:CUSTOM_A=constructor"]);
});

test("the unsuffixed group comes first, and the policy is kept", () => {
  const specs = "resources:VCPU=1 resources1:PGPU=1 resources2:PGPU=1 group_policy=isolate";
  assert.equal(
    read(specs).query,
    "resources=VCPU:1&resources1=PGPU:1&resources2=PGPU:1&group_policy=isolate",
  );
});
