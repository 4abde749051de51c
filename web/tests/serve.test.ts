import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Client,
  describeState,
  findProblem,
  formatSize,
  makeUnique,
  removeSuffix,
} from "../src/upload";

const LIMITS = { file: 1024, responses: 2 };

test("files are named without their endings", () => {
  assert.equal(removeSuffix("careful.conll"), "careful");
  assert.equal(removeSuffix("careful.v2.conll.gz"), "careful.v2");
  assert.equal(removeSuffix(".conll"), ".conll");
  assert.equal(removeSuffix("A"), "A");
});

test("a name that is taken gets a number", () => {
  assert.equal(makeUnique("a", new Set()), "a");
  assert.equal(makeUnique("a", new Set(["a", "a (2)"])), "a (3)");
});

test("what cannot be sent is said in words", () => {
  const sizes = [{ name: "key.conll", size: 10 }];
  assert.equal(findProblem(true, sizes, ["a"], LIMITS), "");
  assert.match(findProblem(false, sizes, ["a"], LIMITS), /Choose a key/);
  assert.match(findProblem(true, sizes, [], LIMITS), /one or more responses/);
  assert.match(findProblem(true, sizes, ["a", "b", "c"], LIMITS), /3 responses/);
  assert.match(findProblem(true, sizes, ["a", "a"], LIMITS), /named a/);
  assert.match(findProblem(true, sizes, [" "], LIMITS), /no name/);
  const large = [{ name: "big", size: 2048 }];
  assert.equal(
    findProblem(true, large, ["a"], LIMITS),
    "big has 2 KB, expected 1 KB at most.",
  );
});

test("sizes are said as the server says them", () => {
  assert.deepEqual([64 * 2 ** 20, 1536, 12].map(formatSize), [
    "64 MB",
    "1.5 KB",
    "12 bytes",
  ]);
});

test("how far a job is", () => {
  assert.equal(
    describeState({ job: "1", state: "waiting", ahead: 2 }),
    "Waiting: 2 before this one.",
  );
  assert.equal(describeState({ job: "1", state: "done" }), "Done.");
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
    new Client("./").wait(failed, () => {}),
    /is empty/,
  );
});
