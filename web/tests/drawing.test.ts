import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeDocument } from "../src/data";
import {
  columnsOf,
  directionOf,
  hasSpace,
  hasSpaceBefore,
  isTiny,
  KEY,
  lanesOf,
  layerOf,
  mentionsOf,
  paragraphsOf,
  piecesOf,
} from "../src/document_view";
import { endsOf, errorOf, focusOfError, type Place, pathOf } from "../src/error_arrows";
import { kindsAt, labelOf, listed, wordsOf } from "../src/error_text";
import { askedToken } from "../src/focus";
import { colourOf } from "../src/legend";
import { START } from "../src/state";
import { lettered } from "./documents";

test("colours repeat after twelve, in another shade; none is none", () => {
  assert.equal(colourOf(1), "c0");
  assert.equal(colourOf(12), "c11");
  assert.equal(colourOf(13), "c0 shade1");
  assert.equal(colourOf(25), "c0 shade2");
  assert.equal(colourOf(37), "c0");
  assert.equal(colourOf(0), "none");
});

test("a mention of a response has the colour of its key entity", () => {
  const open = lettered([1, 2, 1, 0], [[1, 1, 1, 1]]);
  assert.deepEqual(
    mentionsOf(open, 0).map((mention) => [mention.entity, mention.keyEntity]),
    [
      [1, 1],
      [1, 2],
      [1, 1],
      [1, 0],
    ],
  );
});

test("pieces of a second system stand further out than those of the first", () => {
  const open = lettered(
    [1, 1],
    [
      [1, 1],
      [1, 0],
    ],
  );
  const sentences = [{ first: 0, last: 1 }];
  const layers = [KEY, 0, 1].map((side) => layerOf(open, side, sentences, () => true));
  const pieces = piecesOf(layers, 0, { first: 0, last: 1 });
  assert.deepEqual(
    pieces.get(0)?.map((piece) => [piece.mention.system, piece.slot, piece.lane]),
    [
      [KEY, 0, 0],
      [0, 0, 0],
      [1, 0, 1],
    ],
  );
  assert.equal(lanesOf(layers, "response", 0), 2);
  assert.equal(lanesOf(layers, "key", 0), 1);
});

test("a mention that is not as wide as its number is tiny", () => {
  const open = lettered([1, 2], [[1, 2]]);
  const layer = layerOf(open, KEY, [{ first: 0, last: 1 }], () => true);
  const [piece] = piecesOf([layer], 0, { first: 0, last: 1 }).get(0) ?? [];
  assert.ok(piece);
  assert.ok(isTiny(piece, "I"));
  assert.ok(!isTiny(piece, "she"));
  const wide = { ...piece, mention: { ...piece.mention, entity: 120 } };
  assert.ok(isTiny(wide, "he"));
  assert.ok(!isTiny({ ...wide, isLast: false }, "he"));
});

test("columns show the key beside a system, or with each of two", () => {
  assert.deepEqual(columnsOf("overlay", [0, 1]), [[KEY, 0, 1]]);
  assert.deepEqual(columnsOf("beside", [1]), [[KEY], [1]]);
  assert.deepEqual(columnsOf("beside", [0, 2]), [
    [KEY, 0],
    [KEY, 2],
  ]);
  assert.deepEqual(columnsOf("beside", []), [[KEY]]);
});

test("the first letter says where a text runs", () => {
  assert.equal(directionOf("« שלום New"), "rtl");
  assert.equal(directionOf("1 New"), "ltr");
  assert.equal(directionOf("12 ."), "");
});

// Kinds are those of `lettered`: 0 conflated, 1 divided, 2 recall, 3 precision.
const erring = lettered(
  [1, 1, 1, 2, 2],
  [
    {
      entities: [1, 1, 2, 2, 2],
      errors: [
        [0, 0, 1, 2, 3, 4],
        [1, 0, 1, 1, 2],
      ],
      links: [[2, 0, 1, 2, 1, 0, 3, 0]],
    },
  ],
);
const showing = (error: string | null) => ({ ...START, document: 0, error });

test("an error has one line, to the nearest mention of the entity it is about", () => {
  const ends = (id: string) => {
    const error = errorOf(erring, showing(id));
    return error && endsOf(erring, error, 0);
  };
  assert.deepEqual(ends("conflated#3-3"), [3, 2]);
  assert.deepEqual(ends("divided#2-2"), [2, 1]);
  assert.deepEqual(ends("recall#2-2"), [2, 1]);
  assert.equal(ends("divided#9-9"), null);
});

test("the entity of an error is in focus", () => {
  assert.deepEqual(focusOfError(erring, showing("conflated#3-3")), {
    side: "response",
    system: 0,
    entity: 2,
  });
  assert.deepEqual(focusOfError(erring, showing("recall#2-2")), {
    side: "key",
    system: 0,
    entity: 1,
  });
  assert.equal(focusOfError(erring, showing(null)), null);
});

test("a line within one line of text is straight, others go along the edge", () => {
  const place = (x: number, top: number): Place => ({
    x,
    top,
    bottom: top + 30,
    own: top + 8,
    edge: 2,
  });
  assert.equal(pathOf(place(50, 10), place(90, 10), false), "M50 18V10H90V18");
  assert.match(pathOf(place(50, 10), place(90, 60), true), /^M50 18V40H7Q2 40 2 45/);
  const right = (x: number, top: number) => ({ ...place(x, top), edge: 200 });
  assert.match(pathOf(right(50, 10), right(90, 60), true), /^M50 18V40H195Q200 40/);
});

test("what is asked for is shown: a mention, an error, the same mention again", () => {
  const before = showing(null);
  assert.equal(askedToken(erring, before, before), -1);
  const mention = { ...before, mention: "3-3" };
  assert.equal(askedToken(erring, mention, before), 3);
  assert.equal(askedToken(erring, { ...mention }, mention), 3);
  const focused = { ...mention, focus: { side: "key", system: 0, entity: 1 } } as const;
  assert.equal(askedToken(erring, focused, mention), -1);
  assert.equal(askedToken(erring, showing("divided#2-2"), before), 2);
  assert.equal(askedToken(erring, showing("divided#9-9"), before), 0);
  assert.equal(askedToken(erring, before, showing("divided#2-2")), -1);
});

test("mentions are said in words, with what is wrong", () => {
  const given = {
    words: wordsOf(erring, 2),
    key: "key",
    systems: ["S1"],
    shown: [0],
    kinds: erring.responses.map((response) => kindsAt(response.errors)),
  };
  const [, , mention] = mentionsOf(erring, KEY);
  assert.ok(mention);
  assert.equal(
    labelOf(erring, mention, given),
    "w2: key entity 1, 3 mentions; response entity 2, 3 mentions; divided; missing link",
  );
  assert.equal(listed([1, 2, 3]), "1, 2 and 3");
});

test("the line of an error leads to a mention that stands apart from it", () => {
  // `his` (2) is inside `his house` (2-3), which the response joins with it and Ann (0).
  const open = decodeDocument(
    {
      format: 1,
      key: "key",
      systems: ["S"],
      metrics: [],
      kinds: ["conflated"],
      types: [""],
      causes: [""],
      documents: [
        {
          id: "d",
          text: ["Ann likes his house"],
          spans: [0, 0, 2, 0, 0, 1],
          key: [1, 1, 2],
          responses: [{ entities: [1, 1, 1], errors: [[0, 0, 1, 1, 2]] }],
        },
      ],
    },
    0,
  );
  const [error] = open.responses[0]?.errors ?? [];
  assert.ok(error);
  assert.deepEqual(endsOf(open, error, 0), [2, 0]);
});

test("running text has no space before a comma or after a bracket", () => {
  const pairs = [
    ["Ana", ":"],
    ["(", "she"],
    ["did", "n't"],
    ["東", "京"],
  ];
  for (const [before = "", after = ""] of pairs) {
    assert.equal(hasSpace(before, after), false, `${before} ${after}`);
  }
  assert.equal(hasSpace("the", "piano"), true);
  assert.equal(hasSpace(",", "and"), true);
});

test("a speaker begins a paragraph, and so does a sentence after a long one", () => {
  const long = Array(130).fill("a");
  const turns = [["Ana", ":", "hi"], ["yes"], ["Ben", ":", "no"]];
  assert.deepEqual(paragraphsOf({ sentences: turns, paragraphs: [] }), [[0, 1], [2]]);
  const others = [long, ["b"], ["c"]];
  assert.deepEqual(paragraphsOf({ sentences: others, paragraphs: [] }), [[0], [1, 2]]);
});

test("paragraphs and spaces of the data are not guessed", () => {
  const sentences = [["Ana", ":", "hi"], ["yes"], ["Ben", ":", "no"]];
  assert.deepEqual(paragraphsOf({ sentences, paragraphs: [0, 1] }), [[0], [1, 2]]);
  const spaced = { ...lettered([1, 1, 1], []), joined: new Set([2]) };
  assert.equal(hasSpaceBefore(spaced, 1, "Ana", ":"), true);
  assert.equal(hasSpaceBefore(spaced, 2, ":", "hi"), false);
  assert.equal(hasSpaceBefore({ ...spaced, joined: null }, 1, "Ana", ":"), false);
});
