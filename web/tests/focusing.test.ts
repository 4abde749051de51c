import assert from "node:assert/strict";
import { test } from "node:test";
import { aloneIn, askedFor } from "../src/document_view";
import { groupOf, litBy } from "../src/focus";
import { fittingEntities, marksOf, rowsOf, sayGroup } from "../src/focus_panel";
import { type Focus, START } from "../src/state";
import { lettered } from "./documents";

// Key {0 1 2 3} {4 5} {6}; the response divides the first, mixes 3 with the second,
// lacks 2 and 6, and adds 7.
const open = lettered(
  [1, 1, 1, 1, 2, 2, 3, 0],
  [
    [1, 1, 0, 2, 2, 2, 0, 1],
    [1, 1, 1, 1, 2, 2, 3, 0],
  ],
);
const key = (entity: number): Focus => ({ side: "key", system: 0, entity });
const response = (entity: number): Focus => ({ side: "response", system: 0, entity });
const sorted = (names: Iterable<string>) => [...names].sort();

test("an entity of the key lights its mentions on both sides", () => {
  const { strong, related } = litBy(open, [0], key(1));
  assert.deepEqual(
    sorted(strong),
    sorted(["-1:0", "-1:1", "-1:2", "-1:3", "0:0", "0:1", "0:3"]),
  );
  // What the response has in the same entities is beside it.
  assert.deepEqual(
    sorted([...related].filter((name) => !strong.has(name))),
    sorted(["0:4", "0:5", "0:7"]),
  );
});

test("an entity of a response lights its mentions and those of the key", () => {
  const { strong, related } = litBy(open, [0], response(2));
  assert.deepEqual(
    sorted(strong),
    sorted(["0:3", "0:4", "0:5", "-1:3", "-1:4", "-1:5"]),
  );
  assert.ok(related.has("-1:0") && related.has("0:1"));
});

test("a group is a matrix with what is missing and extra", () => {
  const group = groupOf(open, 0, key(1));
  assert.deepEqual(group.keyEntities, [1, 2]);
  assert.deepEqual(group.responseEntities, [1, 2]);
  assert.deepEqual(group.shared, [
    [2, 1],
    [0, 2],
  ]);
  assert.deepEqual(group.missing, [1, 0]);
  assert.deepEqual(group.extra, [1, 0]);
  assert.deepEqual(groupOf(open, 0, response(2)), group);
});

test("an entity that a system does not find has an empty group", () => {
  const group = groupOf(open, 0, key(3));
  assert.deepEqual([group.keyEntities, group.responseEntities], [[3], []]);
  assert.deepEqual(group.missing, [1]);
});

test("groups are told in words", () => {
  const say = (focus: Focus, system = 0) =>
    sayGroup(open, focus, groupOf(open, system, focus)).join(" ");
  assert.equal(
    say(key(1)),
    "It divides the entity: its mentions are in entities 1 and 2. It lacks 1 mention. " +
      "It mixes in mentions of key entity 2. It adds 1 mention that the key lacks.",
  );
  assert.equal(say(key(3)), "It has none of these mentions.");
  assert.equal(say(key(1), 1), "It has exactly this entity.");
  assert.equal(say(key(3), 1), "It has this mention alone too.");
  assert.equal(
    say(response(2)),
    "It joins mentions of key entities 1 and 2, which the key keeps apart. " +
      "It lacks other mentions of key entity 1.",
  );
  assert.equal(say({ ...response(2), system: 1 }, 1), "It is key entity 2, exactly.");
});

test("mentions are right, wrong or absent, for each system", () => {
  assert.deepEqual(
    [...fittingEntities(open, 0)],
    [
      [1, 1],
      [2, 2],
    ],
  );
  assert.deepEqual(marksOf(open, 0), [
    "right",
    "right",
    "absent",
    "wrong",
    "right",
    "right",
    "absent",
    null,
  ]);
  assert.ok(marksOf(open, 1).every((mark) => mark === "right" || mark === null));
});

test("of two entities that fit as well, the first does", () => {
  const tied = lettered([1, 1, 2], [[1, 2, 1]]);
  assert.deepEqual(marksOf(tied, 0), ["right", "wrong", "wrong"]);
});

test("rows stand side by side in the order of the text", () => {
  const rows = rowsOf(open, [0, 1], key(1));
  assert.deepEqual(
    rows.map((row) => [row.span, row.isOwn, row.cells.map((cell) => cell.entity)]),
    [
      [0, true, [1, 1, 1]],
      [1, true, [1, 1, 1]],
      [2, true, [1, 0, 1]],
      [3, true, [1, 2, 1]],
      [4, false, [2, 2, 2]],
      [5, false, [2, 2, 2]],
      [7, false, [0, 1, 0]],
    ],
  );
});

test("a mention of other words stands beside the key's that it matches", () => {
  const moved = lettered([1, 0, 1], [{ entities: [0, 1, 1], twins: { 1: 0 } }]);
  const rows = rowsOf(moved, [0], key(1));
  assert.deepEqual(
    rows.map((row) => row.cells.map((cell) => cell.span)),
    [
      [0, 1],
      [2, 2],
    ],
  );
});

test("many singletons are hidden, but not those that are asked for", () => {
  const alone = Array.from({ length: 12 }, (_, number) => number + 1);
  const many = lettered([...alone, 13, 13], [[...alone, 13, 13]]);
  assert.ok(aloneIn(many, [0]).areMany);
  assert.ok(!aloneIn(open, [0]).areMany);
  const state = { ...START, document: 0 };
  assert.equal(askedFor(many, state).size, 0);
  assert.deepEqual(sorted(askedFor(many, { ...state, focus: key(2) })), [
    "-1:1",
    "0:1",
  ]);
  assert.deepEqual(sorted(askedFor(many, { ...state, mention: "3-3" })), [
    "-1:3",
    "0:3",
  ]);
});

test("what is alone on one side and linked on another is not hidden", () => {
  const split = lettered([1, 1, 2, 3], [[1, 2, 3, 0]]);
  assert.deepEqual(sorted(aloneIn(split, [0]).names), sorted(["-1:2", "0:2", "-1:3"]));
});
