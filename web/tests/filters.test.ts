import assert from "node:assert/strict";
import { test } from "node:test";
import {
  choiceOf,
  countLinks,
  distanceClass,
  EVERYTHING,
  errorRows,
  filtered,
  hasSentences,
  including,
  kindsOf,
  NO_WISH,
  sharedClass,
  step,
  toggled,
} from "../src/error_list";
import { DATA } from "./example";

const ROWS = errorRows(DATA);
const ORDER = [0, 1, 2];

/** Names rows as in `one A divided`. */
function names(rows: Iterable<number>): string[] {
  return [...rows].map((row) => {
    const system = ROWS.facets.system[row] ?? 0;
    const document = ROWS.document[row] ?? 0;
    const place = ROWS.place[row] ?? 0;
    const error = DATA.document(document).responses[system]?.errors[place];
    return `${DATA.ids[document]} ${DATA.systems[system]} ${error?.kind}`;
  });
}

test("rows are in reading order, then by kind, then by system", () => {
  assert.deepEqual(names(Array(ROWS.count).keys()), [
    "one A missing_mention",
    "one A divided",
    "one B divided",
    "one A recall",
    "one B recall",
    "three A divided",
  ]);
  assert.deepEqual([...ROWS.starts], [0, 5, 5, 6]);
});

test("an error of several systems is listed once", () => {
  const found = filtered(ROWS, EVERYTHING, [2, 1, 0], null);
  assert.equal(names(found.rows)[0], "three A divided");
  assert.equal(found.listed.length, 4);
  assert.deepEqual([...found.documents], [3, 0, 1]);
  // Each system has its own count.
  assert.deepEqual([...found.counts.kind], [0, 2, 1, 1, 0]);
  assert.deepEqual([...found.counts.system], [4, 2]);
});

test("a count says how many would be listed if that value were chosen", () => {
  const choice = { ...EVERYTHING, kind: new Set([1]), system: new Set([0]) };
  const found = filtered(ROWS, choice, ORDER, null);
  assert.deepEqual(names(found.listed), ["one A divided", "three A divided"]);
  // Kinds of system A; systems that make divided errors.
  assert.deepEqual([...found.counts.kind], [0, 2, 1, 1, 0]);
  assert.deepEqual([...found.counts.system], [2, 1]);
});

test("errors of one document are listed, and those of all are there for stepping", () => {
  const found = filtered(ROWS, EVERYTHING, ORDER, 2);
  assert.deepEqual(names(found.listed), ["three A divided"]);
  assert.equal(found.rows.length, 4);
  assert.equal(found.counts.kind[1], 1);
});

test("stepping reaches every error once, in both directions", () => {
  const { rows } = filtered(ROWS, EVERYTHING, ORDER, null);
  for (const direction of [1, -1] as const) {
    const seen: number[] = [];
    let place: { row: number | null; document: number | null } = {
      row: null,
      document: null,
    };
    for (;;) {
      const at = step(ROWS, rows, ORDER, place, direction);
      if (at === null) break;
      const row = rows[at] as number;
      seen.push(row);
      place = { row, document: ROWS.document[row] ?? null };
    }
    const all = direction > 0 ? [...rows] : [...rows].reverse();
    assert.deepEqual(seen, all);
  }
});

test("stepping starts at the open document", () => {
  const { rows } = filtered(ROWS, EVERYTHING, ORDER, null);
  const place = { row: null, document: 1 };
  assert.equal(step(ROWS, rows, ORDER, place, 1), 3);
  assert.equal(step(ROWS, rows, ORDER, place, -1), 2);
  assert.equal(step(ROWS, rows, [2, 1, 0], place, -1), null);
});

test("stepping goes on from an error that a filter keeps out", () => {
  const { rows } = filtered(ROWS, { ...EVERYTHING, kind: new Set([1]) }, ORDER, null);
  const place = { row: 3, document: 0 };
  assert.equal(
    names([rows[step(ROWS, rows, ORDER, place, 1) ?? -1] ?? -1])[0],
    "three A divided",
  );
  assert.equal(
    names([rows[step(ROWS, rows, ORDER, place, -1) ?? -1] ?? -1])[0],
    "one A divided",
  );
});

test("errors that break many links come first", () => {
  const found = filtered(ROWS, EVERYTHING, ORDER, null, "all");
  const costs = [...found.listed].map((row) => ROWS.cost[row] ?? 0);
  assert.deepEqual(
    costs,
    [...costs].sort((a, b) => b - a),
  );
  assert.equal(countLinks("divided", 2, 5), 6);
  assert.equal(countLinks("missing_entity", 3, 3), 3);
  assert.equal(countLinks("extra_mention", 1, 4), 3);
  assert.equal(countLinks("span", 2, 4), 0);
});

test("nothing to step to", () => {
  const none = Int32Array.of();
  assert.equal(step(ROWS, none, ORDER, { row: null, document: null }, 1), null);
  assert.equal(step(ROWS, none, ORDER, { row: null, document: null }, -1), null);
});

test("kinds and links are two views", () => {
  assert.deepEqual(kindsOf("kinds", DATA.kinds), [0, 1, 2]);
  assert.deepEqual(kindsOf("links", DATA.kinds), [3, 4]);
  assert.equal(kindsOf("both", DATA.kinds).length, 5);
});

test("a wish becomes a choice", () => {
  const plain = choiceOf(NO_WISH, DATA.kinds, [1]);
  assert.deepEqual([...(plain.kind ?? [])], [0, 1, 2]);
  assert.deepEqual([...(plain.system ?? [])], [1]);
  const wish = {
    ...NO_WISH,
    kinds: new Set([2, 3]),
    whose: "all",
    distance: 1,
  } as const;
  const choice = choiceOf(wish, DATA.kinds, [1]);
  assert.deepEqual([...(choice.kind ?? [])], [2]);
  assert.equal(choice.system, null);
  assert.equal(choice.distance, null);
  assert.deepEqual(
    choiceOf({ ...wish, sort: "links" }, DATA.kinds, []).distance,
    new Set([1]),
  );
});

test("distances fall into classes of sentences or tokens", () => {
  const label = (distance: number, inSentences: boolean): string | undefined =>
    ROWS.labels.distance[distanceClass(distance, inSentences)];
  assert.equal(label(0, true), "same sentence");
  assert.equal(label(5, true), "3 to 5 sentences");
  assert.equal(label(6, true), "6 or more sentences");
  assert.equal(label(0, false), "0 to 9 tokens");
  assert.equal(label(100, false), "100 or more tokens");
  assert.equal(label(-1, true), "not known");
});

test("a long document without sentence ends has no sentences", () => {
  const words = (count: number): string => Array(count).fill("a").join(" ");
  assert.equal(hasSentences({ id: "", text: [words(250)] }), true);
  assert.equal(hasSentences({ id: "", text: [words(251)] }), false);
  assert.equal(hasSentences({ id: "", text: [words(251), "b"] }), true);
  assert.equal(hasSentences({ id: "", text: ["a", "b"], wordless: true }), false);
});

test("an error is made by one system, several or all", () => {
  assert.deepEqual(
    [1, 2, 3].map((madeBy) => sharedClass(madeBy, 3)),
    [0, 1, 2],
  );
  assert.equal(sharedClass(1, 1), 0);
});

test("two systems at most are shown, and one at least", () => {
  assert.deepEqual(toggled([0], 1), [0, 1]);
  assert.deepEqual(toggled([0, 1], 2), [1, 2]);
  assert.deepEqual(toggled([0, 1], 0), [1]);
  assert.deepEqual(toggled([1], 1), [1]);
  assert.deepEqual(including([0], 2), [2]);
  assert.deepEqual(including([0, 1], 1), [0, 1]);
  assert.deepEqual(including([0, 1], 2), [0, 2]);
});
