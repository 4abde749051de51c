import assert from "node:assert/strict";
import { test } from "node:test";
import { depthsOf, sentenceExtents, sentenceOf, slotsOf } from "../src/document_view";

const extents = (...pairs: [number, number][]) =>
  pairs.map(([first, last]) => ({ first, last }));

test("five nested levels have five slots, the longest the first", () => {
  const nested = extents([0, 9], [1, 8], [2, 7], [3, 6], [4, 5]);
  const sentences = extents([0, 11]);
  assert.deepEqual(slotsOf(nested, sentences), [0, 1, 2, 3, 4]);
  assert.deepEqual(slotsOf([...nested].reverse(), sentences), [4, 3, 2, 1, 0]);
  assert.deepEqual(depthsOf(nested, [0, 1, 2, 3, 4], sentences), [5]);
});

test("mentions that cross stand in two slots; the next one is back in the first", () => {
  const spans = extents([0, 4], [3, 6], [7, 7]);
  assert.deepEqual(slotsOf(spans, extents([0, 8])), [0, 1, 0]);
});

test("of two of one length the earlier chooses first", () => {
  assert.deepEqual(slotsOf(extents([2, 4], [0, 2]), extents([0, 8])), [1, 0]);
});

test("a gap belongs to its mention", () => {
  // Tokens 0 and 4; what stands in the gap is in the next slot.
  assert.deepEqual(slotsOf(extents([0, 4], [2, 2]), extents([0, 4])), [0, 1]);
});

test("each sentence begins anew, and what happens in one changes no other", () => {
  const sentences = extents([0, 3], [4, 9]);
  const spans = extents([0, 3], [1, 2], [4, 5], [5, 8]);
  assert.deepEqual(slotsOf(spans, sentences), [0, 1, 1, 0]);
  assert.deepEqual(slotsOf(spans.slice(2), sentences), [1, 0]);
  assert.deepEqual(depthsOf(spans, [0, 1, 1, 0], sentences), [2, 2]);
});

test("a mention of two sentences keeps its slot in both", () => {
  const sentences = extents([0, 3], [4, 9]);
  const spans = extents([0, 1], [3, 4], [4, 9]);
  assert.deepEqual(slotsOf(spans, sentences), [0, 1, 0]);
  assert.deepEqual(depthsOf(spans, [0, 1, 0], sentences), [2, 2]);
});

test("no two mentions of a slot share a token, for any spans", () => {
  let seed = 7;
  const below = (limit: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % limit;
  };
  for (let round = 0; round < 200; round++) {
    const spans = Array.from({ length: 12 }, () => {
      const first = below(20);
      return { first, last: Math.min(19, first + below(8)) };
    });
    const slots = slotsOf(spans, extents([0, 6], [7, 19]));
    spans.forEach((one, a) => {
      spans.forEach((other, b) => {
        if (a < b && slots[a] === slots[b]) {
          assert.ok(one.last < other.first || other.last < one.first);
        }
      });
    });
  }
});

test("tokens are found in their sentences, empty sentences hold none", () => {
  const sentences = sentenceExtents([["a", "b"], [], ["c"]]);
  assert.deepEqual(sentences, extents([0, 1], [2, 1], [2, 2]));
  assert.deepEqual(
    [0, 1, 2].map((token) => sentenceOf(sentences, token)),
    [0, 0, 2],
  );
});
