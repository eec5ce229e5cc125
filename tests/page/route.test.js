// Addresses of views.

import assert from "node:assert/strict";
import test from "node:test";

import { choiceOf } from "../../placement/web/page/route.js";

const CHOICES = { host: "Hosts", tree: "Trees" };

function chosen(query) {
  return choiceOf({ parameters: new URLSearchParams(query) }, "by", CHOICES, "host");
}

test("an address chooses one of the choices", () => {
  assert.equal(chosen("by=tree"), "tree");
});

test("anything else is the default", () => {
  for (const query of ["", "by=", "by=forest", "by=toString", "group=tree"]) {
    assert.equal(chosen(query), "host");
  }
});
