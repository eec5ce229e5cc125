// What is asked for: as a query string, as lists that people write, and as they paste it.

import assert from "node:assert/strict";
import test from "node:test";

import { read } from "../../placement/web/page/parts/pasted.js";
import {
  alternativesOf,
  format,
  parse,
  relaxed,
  renamed,
  textOf,
} from "../../placement/web/page/parts/query.js";

const RACK = "5e4f0001-0000-4000-8000-000000000001";
const ROW = "5e4f0001-0000-4000-8000-000000000002";

test("a query string comes back from the request that it makes", () => {
  for (const query of [
    "resources=VCPU:4,MEMORY_MB:8192",
    "resources=VCPU:4&required=CUSTOM_GOLD,!CUSTOM_OLD&required=in:HW_A,HW_B",
    `resources=VCPU:4&member_of=in:${RACK},${ROW}&member_of=${ROW}&member_of=!${RACK}&in_tree=${RACK}`,
    "resources=DISK_GB:80&resources_CPU=VCPU:8&resources_GPU=PGPU:1&required_GPU=CUSTOM_A100" +
      "&group_policy=isolate&same_subtree=_CPU,_GPU&root_required=HW_A,!CUSTOM_OLD",
  ]) {
    assert.equal(format(parse(query)), query);
  }
});

test("groups that ask for nothing are left out, and several need a policy", () => {
  const request = parse("resources1=VCPU:1&resources2=VCPU:2");
  assert.equal(format(request), "resources1=VCPU:1&resources2=VCPU:2&group_policy=none");
  request.groups[0].resources = [];
  assert.equal(format(request), "resources2=VCPU:2");
});

test("what would break a query string is encoded", () => {
  const [pair] = format(parse("resources=A%26B:1")).split("&");
  assert.equal(pair, "resources=A%26B:1");
});

test("lists are written as people do", () => {
  assert.deepEqual(alternativesOf("A, B or C  D|E ,"), [["A"], ["B", "C"], ["D", "E"]]);
  assert.equal(textOf([["A"], ["B", "C"]]), "A, B or C");
});

test("a constraint is given up", () => {
  const query =
    "resources=VCPU:4,DISK_GB:9&required=A,!B,!C&required=in:E,D&resources_X=PGPU:1" +
    "&resources_Y=PCPU:2&group_policy=isolate&same_subtree=_X,_Y&root_required=R,S,!T";
  const asked = (relaxation) => format(relaxed(parse(query), { instead: null, ...relaxation }));
  const from = (constraint, group, value) => asked({ constraint, group, value });
  assert.equal(from("required", "", "A"), query.replace("A,", ""));
  assert.equal(from("required", "", "in:D,E"), query.replace("&required=in:E,D", ""));
  assert.equal(from("forbidden", "", "in:B,C"), query.replace(",!B,!C", ""));
  assert.equal(from("resources", "", "DISK_GB:9"), query.replace(",DISK_GB:9", ""));
  assert.equal(from("group_policy", null, "isolate"), query.replace("isolate", "none"));
  assert.equal(from("same_subtree", null, "_X,_Y"), query.replace("&same_subtree=_X,_Y", ""));
  assert.equal(from("root_required", null, "R"), query.replace("=R,S", "=S"));
  assert.equal(from("root_forbidden", null, "T"), query.replace(",!T", ""));
  assert.equal(
    from("resources", "_Y", "PCPU:2"),
    query.replace("&resources_Y=PCPU:2&group_policy=isolate", "").replace("_X,_Y", "_X"),
  );
  assert.equal(
    asked({ constraint: "resources", group: "", value: "VCPU:4", instead: "VCPU:3" }),
    query.replace("VCPU:4", "VCPU:3"),
  );
});

test("a relaxation may be the correction of a name", () => {
  const query = `resources=VCPU:4&required=GLOD&required=in:A,GLOD&member_of=${RACK}&in_tree=${ROW}&root_required=GLOD,S`;
  const corrected = (constraint, value, instead, group = "") =>
    format(relaxed(parse(query), { constraint, value, instead, group }));
  assert.equal(corrected("required", "GLOD", "GOLD"), query.replace("GLOD", "GOLD"));
  assert.equal(corrected("required", "in:A,GLOD", "in:A,GOLD"), query.replace("A,GLOD", "A,GOLD"));
  assert.equal(corrected("member_of", RACK, ROW), query.replace(RACK, ROW));
  assert.equal(corrected("in_tree", ROW, RACK), query.replace(`in_tree=${ROW}`, `in_tree=${RACK}`));
  assert.equal(
    corrected("root_required", "GLOD", "GOLD", null),
    query.replace("GLOD,S", "GOLD,S"),
  );
  assert.equal(
    corrected("resources", "VCPU:4", "PCPU:4"),
    query.replace("VCPU:4", "PCPU:4"),
  );
});

test("what else has to change changes with it", () => {
  const query =
    "resources_C=VCPU:1&required_T=A,!B,!C&required_T=in:D,E&group_policy=isolate" +
    "&same_subtree=_C,_T&root_required=!R,!S";
  const change = (constraint, group, value, instead) => ({ constraint, group, value, instead });
  const relaxation = change("same_subtree", null, "_C,_T", "_C");
  assert.equal(
    format(relaxed(parse(query), { ...relaxation, also: [] })),
    "resources_C=VCPU:1&same_subtree=_C&root_required=!R,!S",
  );
  const also = [
    change("forbidden", "_T", "in:B,C", "B"),
    change("required", "_T", "in:D,E", "D"),
    change("root_forbidden", null, "in:R,S", "S"),
    change("group_policy", null, "isolate", "none"),
  ];
  assert.equal(
    format(relaxed(parse(query), { ...change("required", "_T", "A", null), also })),
    "resources_C=VCPU:1&required_T=D,!B&group_policy=none&same_subtree=_C,_T&root_required=!S",
  );
});

test("a misspelt name is corrected wherever it stands", () => {
  assert.equal(
    format(renamed(parse("resources=VCPU:1&required=GLOD&root_required=!GLOD"), "GLOD", "GOLD")),
    "resources=VCPU:1&required=GOLD&root_required=!GOLD",
  );
});

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
    const { request, ignored } = read(text);
    assert.equal(format(request), query, text);
    assert.deepEqual(ignored, []);
  }
  assert.deepEqual(read("?resources=VCPU:1&colour=red").ignored, ["colour=red"]);
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
    assert.equal(format(read(text).request), query, text);
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
  const { request, ignored } = read(flavor);
  assert.equal(
    format(request),
    "resources=MEMORY_MB:8192,DISK_GB:87,PCPU:4&resources_GPU=PGPU:1&required_GPU=CUSTOM_A100",
  );
  assert.deepEqual(ignored, ["hw:numa_nodes=2"]);
});

test("the options of a command that makes a flavor are read", () => {
  const { request, ignored } = read(
    "openstack flavor create gpu --property resources:CUSTOM_GPU=1 --ram 4096 --vcpus=2 --disk 20" +
      " --ephemeral 5 --property hw:numa_nodes=2",
  );
  assert.equal(format(request), "resources=VCPU:2,MEMORY_MB:4096,DISK_GB:25,CUSTOM_GPU:1");
  assert.deepEqual(ignored, ["hw:numa_nodes=2"]);
});

test("amounts need no name", () => {
  const amounts = "VCPU:4,MEMORY_MB:8192,DISK_GB:40";
  assert.equal(format(read(amounts).request), `resources=${amounts}`);
  assert.equal(format(read(" VCPU:4, DISK_GB:40\n").request), "resources=VCPU:4,DISK_GB:40");
});

test("what asks for nothing is not read", () => {
  assert.equal(read("No valid host was found. There are not enough hosts?"), null);
  assert.equal(read(""), null);
});
