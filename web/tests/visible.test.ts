import assert from "node:assert/strict";
import { test } from "node:test";
import { visible } from "../src/document_view";

test("what nobody sees is written out", () => {
  assert.equal(visible("\x1b[31mred"), "\\x1b[31mred");
  assert.equal(visible("a\u2028b\u2029c\nd\te"), "a\\u2028b\\u2029c\\nd\\te");
  assert.equal(visible("\u202eabc\u202c\u200f"), "\\u202eabc\\u202c\\u200f");
  assert.equal(visible("half \ud83d"), "half \\ud83d");
});

test("what people write stays as it is", () => {
  const texts = [
    "<b>&amp;",
    "می\u200cخواهم",
    "👩\u200d👧",
    "a\u00a0b",
    "שלום",
    "é",
    "",
  ];
  for (const text of texts) assert.equal(visible(text), text);
});
