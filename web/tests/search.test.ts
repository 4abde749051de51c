import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeData } from "../src/data";
import { describe, folded, MOST_PLACES, makeSearch, tokenRange } from "../src/search";
import { DATA, ENCODED } from "./example";

const search = makeSearch(DATA);

test("words are found in all documents, in any case, across tokens", () => {
  const found = search("  NEW  york ");
  assert.deepEqual(
    found.places.map((place) => [
      place.document,
      place.sentence,
      place.first,
      place.last,
    ]),
    [
      [0, 1, 4, 4], // one token with a blank
      [2, 0, 2, 3],
    ],
  );
  assert.equal(describe(found), "Found: 2 places");
});

test("parts of words and of ids are found", () => {
  const found = search("o");
  assert.deepEqual(found.documents, [0, 1]);
  assert.ok(found.places.some((place) => place.document === 1 && place.first === 0));
});

test("nothing is searched for without a letter", () => {
  assert.equal(search("   ").count, 0);
  assert.equal(search("nowhere").count, 0);
});

test("all places are counted, and the first are listed", () => {
  const text = [
    Array(MOST_PLACES + 5)
      .fill("x")
      .join(" "),
  ];
  const many = decodeData({ ...ENCODED, documents: [{ id: "d", text }] });
  const found = makeSearch(many)("x");
  assert.equal(found.count, MOST_PLACES + 5);
  assert.equal(found.places.length, MOST_PLACES);
  assert.equal(found.places[MOST_PLACES - 1]?.first, MOST_PLACES - 1);
  assert.match(describe(found), /5,005 places, of which the first 5,000 are listed/);
});

test("letters whose small form is longer keep their tokens", () => {
  const tokens = ["İİİ", "b", "c"];
  const text = folded(tokens.join(" "));
  assert.deepEqual(tokenRange(tokens, text.indexOf("b"), 3), [1, 2]);
});

test("two spellings of one letter are equal", () => {
  assert.equal(folded("Cafe\u0301"), folded("CAFÉ"));
});
