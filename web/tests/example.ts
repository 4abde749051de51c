/** A page of three documents and two systems, for tests. */

import { type Data, decodeData, type EncodedData } from "../src/data";

export const ENCODED: EncodedData = {
  format: 1,
  key: "key",
  systems: ["A", "B"],
  metrics: ["LEA", "CoNLL"],
  kinds: ["span", "divided", "missing_mention", "recall", "precision"],
  types: ["", "pronoun", "name"],
  causes: ["", "anaphor", "antecedent", "link"],
  documents: [
    {
      id: "one",
      text: ["Ann saw Bob .", ["New York", "liked", "her"]],
      spans: [0, 0, 2, 0, 2, 0, 2, 0],
      key: [1, 2, 0, 1],
      responses: [
        {
          entities: [1, 2, 0, 2],
          // Missing mention of Bob, then divided at her: by kind, not by place.
          errors: [
            [1, 1, 2, 1, 3],
            [2, 2, 1, 2, 1],
          ],
          links: [[3, 1, 2, 3, 0, 1, 2, 3]],
          scores: [5000, 6000],
        },
        {
          entities: [1, 0, 0, 2],
          errors: [[1, 1, 2, 1, 3]],
          links: [[3, 1, 2, 3, 0, 1, 2, 3]],
          scores: [7525, 6000],
        },
      ],
    },
    { id: "two", text: ["Nothing here ."], responses: [{}, { missing: true }] },
    {
      id: "three",
      text: ["It is new york ."],
      spans: [0, 0, 2, 1],
      key: [1, 1],
      responses: [
        { entities: [1, 2], errors: [[1, 1, 1, 1, 1]], scores: [0, null] },
        { entities: [1, 1], scores: [10000, 10000] },
      ],
    },
  ],
};

export const DATA: Data = decodeData(ENCODED);
