import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeData, decodeDocument, type EncodedData } from "../src/data";
import { fragmentOf, START, stateOf } from "../src/state";

const DATA: EncodedData = {
  format: 1,
  key: "key",
  systems: ["A"],
  metrics: ["LEA"],
  kinds: ["span", "divided", "recall"],
  types: ["", "pronoun"],
  causes: ["", "link"],
  documents: [
    {
      id: "d",
      text: ["Ann left .", ["New York", "is"]],
      spans: [0, 0, 3, 1, 0, 1],
      gaps: { 2: [3, 3, 4, 4] },
      key: [1, 1, 0],
      responses: [
        {
          entities: [1, 0, 2],
          twins: { 2: 1 },
          errors: [[1, 1, 1, 1, 1]],
          links: [[2, 0, 1, 1, 0, 1, 2, 1]],
          scores: [6667],
        },
      ],
    },
  ],
};

test("a document is decoded", () => {
  const document = decodeDocument(DATA, 0);
  assert.deepEqual(document.sentences[1], ["New York", "is"]);
  assert.deepEqual(
    document.spans.map((span) => [span.first, span.last, span.parts.length]),
    [
      [0, 0, 1],
      [3, 4, 1],
      [3, 4, 2],
    ],
  );
  assert.deepEqual(document.key.entities, [[], [0, 1]]);
  const [response] = document.responses;
  assert.deepEqual(response?.keySpan, [0, -1, 1]);
  assert.deepEqual(
    response?.errors.map((error) => error.id),
    ["divided#3-4", "recall#3-4"],
  );
  assert.deepEqual(response?.scores, [66.67]);
});

test("a link leads back to the state it was made from", () => {
  const ids = ["a#b&c", "d"];
  const state = { ...START, document: 0, systems: [1], error: "divided#3-5~2" };
  assert.deepEqual(stateOf(`#${fragmentOf(state, ids)}`, ids, 2), state);
  assert.equal(stateOf("#scores", ids, 2), null);
});

test("a page knows whether responses were searched for errors", () => {
  const [document] = DATA.documents;
  assert.ok(document);
  const perfect = { ...document, responses: [{ entities: [1, 1, 0] }] };
  assert.ok(decodeData(DATA).hasErrors);
  assert.ok(decodeData({ ...DATA, documents: [perfect] }).hasErrors);
  assert.ok(!decodeData({ ...DATA, kinds: [] }).hasErrors);
  assert.ok(!decodeData({ ...DATA, systems: [] }).hasErrors);
});
