// How the page asks the service.

import assert from "node:assert/strict";
import test from "node:test";

// The module takes the address of the service from that of the page.
globalThis.location = { href: "http://cloud.example/placement/operator/#/fit" };
const { ask } = await import("../../placement/web/page/api.js");

const QUERY = ["operator/fit", "resources=VCPU:1", {}];

function busy(retryAfter) {
  const headers = retryAfter === null ? {} : { "Retry-After": retryAfter };
  return new Response("", { status: 429, headers });
}

// Lets the service give these answers, one after the other; returns the list of what was asked.
function answering(t, ...answers) {
  const asked = [];
  t.mock.method(globalThis, "fetch", async (url, request) => {
    asked.push({ url: url.href, ...request });
    return answers[asked.length - 1];
  });
  return asked;
}

// Returns when nothing is left to do but to wait for a timer.
function settled() {
  return new Promise((resolve) => setImmediate(resolve));
}

test("a busy service is asked again after the time that it names, or else five seconds", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const dated = busy("Wed, 07 Jan 2026 09:00:00 GMT");
  const asked = answering(t, busy("2"), dated, busy(null), Response.json({ fit: 3 }));
  const answer = ask(...QUERY);
  for (const [index, wait] of [2000, 5000, 5000].entries()) {
    await settled();
    t.mock.timers.tick(wait - 1);
    await settled();
    assert.equal(asked.length, index + 1);
    t.mock.timers.tick(1);
  }
  assert.deepEqual(await answer, { fit: 3 });
  assert.equal(asked.length, 4);
});

test("what is asked again is the same request", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const asked = answering(t, busy("1"), Response.json({}));
  const answer = ask("operator/mix", "", { token: "secret", body: { requests: [] } });
  await settled();
  t.mock.timers.tick(1000);
  await answer;
  assert.equal(asked[0].url, "http://cloud.example/placement/operator/mix");
  assert.equal(asked[0].body, '{"requests":[]}');
  assert.deepEqual(asked[1], asked[0]);
});

test("other refusals are final", async (t) => {
  const asked = answering(t, new Response("", { status: 503 }));
  await assert.rejects(ask(...QUERY), { status: 503 });
  assert.equal(asked.length, 1);
});
