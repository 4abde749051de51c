import assert from "node:assert/strict";
import { test } from "node:test";
import {
  columnGroups,
  documentColumns,
  sharedStart,
  shortNames,
} from "../src/document_table";
import { columnOf, nextDirection, numberIn, sortedRows } from "../src/sorting";
import { rangeOf, rowAfter, scrollTo } from "../src/window_list";
import { DATA } from "./example";

test("numbers are read as tables write them", () => {
  const texts = [
    "59.70",
    "1,234",
    "−3.2",
    "+0.5",
    "12.5%",
    ".5",
    "60.1 [58.0, 62.2]",
    "7 ± 1",
  ];
  assert.deepEqual(texts.map(numberIn), [59.7, 1234, -3.2, 0.5, 12.5, 0.5, 60.1, 7]);
  for (const text of ["", "2012_doc", "A", "-", "1.2.3", "3-5"]) {
    assert.equal(numberIn(text), null, text);
  }
});

test("a column is of numbers if all cells are; others are sorted by name", () => {
  assert.deepEqual(columnOf(["3", "–", "20"]), [3, null, 20]);
  assert.deepEqual(columnOf(["doc10", "doc9", ""]), ["doc10", "doc9", null]);
  assert.deepEqual(
    sortedRows(columnOf(["doc10", "doc9", "Doc1"]), "ascending"),
    [2, 1, 0],
  );
});

test("nothing stands last in both directions, and equal rows keep their order", () => {
  const cells = [2, null, 1, 2];
  assert.deepEqual(sortedRows(cells, "ascending"), [2, 0, 3, 1]);
  assert.deepEqual(sortedRows(cells, "descending"), [0, 3, 2, 1]);
});

test("a third click brings back the order at the start", () => {
  assert.equal(nextDirection(null, [1, null]), "descending");
  assert.equal(nextDirection("descending", [1]), "ascending");
  assert.equal(nextDirection("ascending", [1]), null);
  assert.equal(nextDirection(null, ["a"]), "ascending");
  assert.equal(nextDirection("ascending", ["a"]), "descending");
  assert.equal(nextDirection("descending", ["a"]), null);
});

test("up to 500 rows are all in the page, of more those near the window", () => {
  assert.deepEqual(rangeOf(500, 40, 0, 400), { first: 0, end: 500 });
  assert.deepEqual(rangeOf(501, 40, 0, 400), { first: 0, end: 22 });
  assert.deepEqual(rangeOf(45000, 40, 40 * 1000, 400), { first: 988, end: 1022 });
  assert.deepEqual(rangeOf(45000, 40, 40 * 45000, 400), { first: 44988, end: 45000 });
  assert.deepEqual(rangeOf(600, 40, 40 * 5000, 400), { first: 600, end: 600 });
});

test("a row is scrolled to by as little as needed", () => {
  assert.equal(scrollTo(5, 40, 0, 400), 0);
  assert.equal(scrollTo(10, 40, 0, 400), 40);
  assert.equal(scrollTo(2, 40, 200, 400), 80);
  // A window that is lower than a row shows its top.
  assert.equal(scrollTo(2, 40, 0, 10), 80);
});

test("keys move between rows, and not beyond the ends", () => {
  assert.equal(rowAfter("ArrowDown", 3, 10, 4), 4);
  assert.equal(rowAfter("ArrowUp", 0, 10, 4), 0);
  assert.equal(rowAfter("PageDown", 8, 10, 4), 9);
  assert.equal(rowAfter("End", 0, 10, 4), 9);
  assert.equal(rowAfter("a", 0, 10, 4), null);
  assert.equal(rowAfter("Home", 0, 0, 4), null);
});

test("documents have sizes, scores and errors", () => {
  const columns = documentColumns(DATA, 0, [0]);
  assert.deepEqual(
    columns.map((column) => column.head),
    ["Document", "Tokens", "Mentions", "A", "B", "A", "B"],
  );
  const texts = columns.map((column) => column.text(column.cells[0] ?? null, 0));
  assert.deepEqual(texts, ["one", "7", "3", "50.00", "75.25", "2", "1"]);
  assert.equal(columns[4]?.text(columns[4].cells[1] ?? null, 1), "missing");
  assert.deepEqual(columnGroups(columns), [
    ["", 1],
    ["Size", 2],
    ["LEA F1, %", 2],
    ["Errors", 2],
  ]);
});

test("two systems that are shown have their difference", () => {
  const difference = (metric: number): string[] => {
    const column = documentColumns(DATA, metric, [1, 0])[5];
    return (column?.cells ?? []).map((cell, at) => column?.text(cell, at) ?? "");
  };
  assert.deepEqual(difference(0), ["−25.25", "–", "−100.00"]);
  assert.deepEqual(difference(1), ["0.00", "–", "–"]);
});

test("long names are cut where they differ", () => {
  assert.deepEqual(shortNames(["careful", "a-long-name-of-a-system"]), [
    "careful",
    "a-long-…",
  ]);
  assert.deepEqual(shortNames(["systems-350.response-0", "systems-350.response-1"]), [
    "…ponse-0",
    "…ponse-1",
  ]);
});

test("names share a start up to the end of a word", () => {
  assert.equal(sharedStart(["(ex/bridge); 0", "(ex/bread); 0"]), "(ex/".length);
  assert.equal(sharedStart(["doc_01", "doc_02", "doc_03"]), "doc_".length);
  assert.equal(sharedStart(["a", "b"]), 0);
  assert.equal(sharedStart(["only"]), 0);
  assert.equal(sharedStart([]), 0);
  assert.equal(sharedStart(["a-", "a-"]), 2);
});
