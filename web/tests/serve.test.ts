import assert from "node:assert/strict";
import { test } from "node:test";
import { fault, freeName, inWords, nameOf } from "../src/serve/chosen";
import { Client, stateInWords } from "../src/serve/client";

const LIMITS = { file: 1024, responses: 2 };

test("files are named without their endings", () => {
  assert.equal(nameOf("careful.conll"), "careful");
  assert.equal(nameOf("careful.v2.conll.gz"), "careful.v2");
  assert.equal(nameOf(".conll"), ".conll");
  assert.equal(nameOf("A"), "A");
});

test("a name that is taken gets a number", () => {
  assert.equal(freeName("a", new Set()), "a");
  assert.equal(freeName("a", new Set(["a", "a (2)"])), "a (3)");
});

test("what cannot be sent is said in words", () => {
  const sizes = [{ name: "key.conll", size: 10 }];
  assert.equal(fault(true, sizes, ["a"], LIMITS), "");
  assert.match(fault(false, sizes, ["a"], LIMITS), /Choose a key/);
  assert.match(fault(true, sizes, [], LIMITS), /one response or more/);
  assert.match(fault(true, sizes, ["a", "b", "c"], LIMITS), /3 responses/);
  assert.match(fault(true, sizes, ["a", "a"], LIMITS), /called a/);
  assert.match(fault(true, sizes, [" "], LIMITS), /no name/);
  const large = [{ name: "big", size: 2048 }];
  assert.equal(
    fault(true, large, ["a"], LIMITS),
    "big has 2 KB, expected 1 KB at most.",
  );
});

test("sizes are said as the server says them", () => {
  assert.deepEqual([64 * 2 ** 20, 1536, 12].map(inWords), [
    "64 MB",
    "1.5 KB",
    "12 bytes",
  ]);
});

test("how far a job is", () => {
  assert.equal(
    stateInWords({ job: "1", state: "waiting", ahead: 2 }),
    "Waiting: 2 before this one.",
  );
  assert.equal(stateInWords({ job: "1", state: "done" }), "Done.");
});

test("what the server refuses is an error with its words", async (context) => {
  const answers = [
    { ok: false, status: 413, json: async () => ({ error: "too large" }) },
    { ok: false, status: 502, json: async () => Promise.reject(new Error("no JSON")) },
  ];
  context.mock.method(globalThis, "fetch", async () => answers.shift());
  const client = new Client("./");
  await assert.rejects(client.addExample(), /^Error: too large$/);
  await assert.rejects(client.addExample(), /answers 502/);
});

test("a job that failed is an error with the reason", async () => {
  const failed = { job: "1", state: "failed", error: "key.conll: is empty" } as const;
  await assert.rejects(
    new Client("./").finished(failed, () => {}),
    /is empty/,
  );
});
