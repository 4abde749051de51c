import assert from "node:assert/strict";
import { test } from "node:test";
import { entitiesOf } from "../src/focus_panel";
import { lettered } from "./documents";

test("entities of two mentions or more are listed, the largest first", () => {
  const listed = entitiesOf(lettered([1, 2, 2, 3, 2, 4, 4], []));
  assert.deepEqual(
    listed.map(({ entity, size }) => [entity, size]),
    [
      [2, 3],
      [4, 2],
    ],
  );
});

test("each way to say an entity stands once, and a few are enough", () => {
  const [one] = entitiesOf(lettered([1, 1, 1, 1, 1, 1, 1], []));
  assert.equal(one?.forms.length, 4);
  assert.equal(one?.more, 3);
  assert.equal(new Set(one?.forms).size, 4);
});

test("a document of singletons has nothing to list", () => {
  assert.deepEqual(entitiesOf(lettered([1, 2, 3], [])), []);
});

test("empty nodes have a sign", () => {
  const made = { ...lettered([1, 1, 1], []), empty: new Set([1, 2]) };
  const sentences = [["Ann", "_", "ella"]];
  const [one] = entitiesOf({ ...made, sentences });
  assert.deepEqual(one?.forms, ["Ann", "∅", "∅ella"]);
});
