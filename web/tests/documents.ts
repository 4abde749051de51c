/** Documents for tests, from few words. */

import { type Document, decodeDocument, type EncodedResponse } from "../src/data";

/**
 * Makes a document of one-token mentions: a token each, and for each side the entity of
 * each token, 0 for none.
 */
export function lettered(
  key: number[],
  responses: (number[] | EncodedResponse)[],
): Document {
  const text = [key.map((_, token) => `w${token}`).join(" ")];
  const spans = key.flatMap((_, token) => [token ? 1 : 0, 0]);
  return decodeDocument(
    {
      format: 1,
      key: "key",
      systems: responses.map((_, number) => `S${number + 1}`),
      metrics: [],
      kinds: ["conflated", "divided", "recall", "precision", "missing_mention"],
      types: [""],
      causes: [""],
      documents: [
        {
          id: "d",
          text,
          spans,
          key,
          responses: responses.map((one) =>
            Array.isArray(one) ? { entities: one } : one,
          ),
        },
      ],
    },
    0,
  );
}
