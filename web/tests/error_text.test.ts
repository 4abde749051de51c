import assert from "node:assert/strict";
import { test } from "node:test";
import type { ShownError } from "../src/data";
import {
  aboutError,
  counted,
  cut,
  details,
  explained,
  kindName,
  makers,
  shortenNames,
} from "../src/error_text";
import { DATA } from "./example";

const DOCUMENT = DATA.document(0);
const ERRORS = DOCUMENT.responses[0]?.errors ?? [];
const [DIVIDED, MISSING, LINK] = ERRORS as [ShownError, ShownError, ShownError];

const SIDES = { system: 0, name: "A", key: "key" };

test("an error is told in words of its text", () => {
  assert.equal(
    explained(MISSING, DOCUMENT, SIDES),
    "The key has “Bob” as a mention of entity 2. A has no such mention.",
  );
  assert.equal(
    explained(DIVIDED, DOCUMENT, SIDES),
    "The key has “her” in one entity with “Ann”, entity 1. A does not.",
  );
  assert.equal(
    explained(LINK, DOCUMENT, SIDES),
    "The key links “her” back to “Ann”. A does not, though A has both mentions.",
  );
});

test("the side that lacks a mention is named", () => {
  const link = { distance: 1, entitySize: 2, cause: "antecedent" };
  const wrong: ShownError = { ...LINK, kind: "precision", link };
  assert.match(explained(wrong, DOCUMENT, SIDES), /: the key has no mention “Ann”\.$/);
});

test("a list says what an error is about", () => {
  assert.equal(aboutError(LINK, DOCUMENT), "“her” → “Ann”");
  assert.equal(
    aboutError({ ...DIVIDED, spans: [0, 1, 2, 3] }, DOCUMENT),
    "“Ann”, “Bob”, “New York” and 1 more",
  );
  assert.deepEqual(details(LINK, DATA, 0), [
    "pronoun",
    "1 sentence apart",
    "entity of 2 mentions",
    "made by both systems",
  ]);
});

test("long mentions are cut between characters", () => {
  assert.equal(cut("👍👍👍", 2), "👍…");
  assert.equal(cut("abc", 3), "abc");
});

test("kinds have names", () => {
  assert.equal(kindName("missing_mention"), "Missing mention");
});

test("numbers have their words", () => {
  assert.deepEqual(
    [counted(1, "error"), counted(12000, "error"), counted(0, "entity", "entities")],
    ["1 error", "12,000 errors", "0 entities"],
  );
  assert.deepEqual(
    [makers(1, 3), makers(2, 3), makers(3, 3), makers(2, 2)],
    ["this system only", "2 of 3 systems", "all 3 systems", "both systems"],
  );
});

test("an empty node has its sign wherever an error names it", () => {
  const dropped = { ...DOCUMENT, empty: new Set([DOCUMENT.spans[0]?.first ?? -1]) };
  assert.equal(aboutError(LINK, dropped), "“her” → “∅Ann”");
});

test("shortened names keep what distinguishes them", () => {
  const names = [
    "experiment-2026-01-baseline-large",
    "experiment-2026-01-lexicon-large",
  ];
  const [one = "", other = ""] = shortenNames(names);
  assert.notEqual(one, other);
  assert.match(one, /baseline/);
  assert.match(other, /lexicon/);
  assert.deepEqual(shortenNames(["a", "b"]), ["a", "b"]);
});
