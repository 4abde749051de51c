/**
 * Search over all documents, on their data: find-in-page sees the open one only. Case
 * does not matter; a query of several words is found across tokens.
 */

import type { Data } from "./data";
import { tokensOf } from "./data";

/** The number of places that are listed; more are counted. */
export const MOST_PLACES = 5000;

export interface FoundPlace {
  readonly document: number;
  readonly sentence: number;
  /** Tokens of the document. */
  readonly first: number;
  readonly last: number;
}

export interface Found {
  /** The query without blanks at its ends; nothing is searched for if it is empty. */
  readonly query: string;
  /** Documents whose id has the query. */
  readonly documents: readonly number[];
  /** Places in texts, in the order of documents. */
  readonly places: readonly FoundPlace[];
  /** The number of all places, of which `places` are the first. */
  readonly count: number;
}

/** Makes two spellings of the same letters equal. */
export function folded(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** Makes a search through documents; their texts are prepared once, at the first one. */
export function makeSearch(data: Data): (query: string) => Found {
  let texts: string[][] | null = null;
  return (query) => {
    texts ??= data.ids.map((_, number) => foldedSentences(data, number));
    return search(data, texts, query);
  };
}

function foldedSentences(data: Data, document: number): string[] {
  return data
    .encoded(document)
    .text.map((sentence) =>
      folded(typeof sentence === "string" ? sentence : sentence.join(" ")),
    );
}

function search(
  data: Data,
  texts: readonly (readonly string[])[],
  query: string,
): Found {
  const asked = folded(query).trim().replace(/\s+/gu, " ");
  const places: FoundPlace[] = [];
  let count = 0;
  if (!asked) return { query: asked, documents: [], places, count };
  const documents = [...data.ids.keys()].filter((number) =>
    folded(data.ids[number] ?? "").includes(asked),
  );
  texts.forEach((sentences, document) => {
    let starts: number[] | null = null;
    sentences.forEach((text, sentence) => {
      for (let at = text.indexOf(asked); at >= 0; at = text.indexOf(asked, at + 1)) {
        count += 1;
        if (places.length >= MOST_PLACES) continue;
        starts ??= sentenceStarts(data, document);
        const tokens = tokensOf(data.encoded(document).text[sentence] ?? "");
        const [first, last] = tokenRange(tokens, at, asked.length);
        const start = starts[sentence] ?? 0;
        places.push({ document, sentence, first: start + first, last: start + last });
      }
    });
  });
  return { query: asked, documents, places, count };
}

/** Lists the first token of each sentence of a document. */
export function sentenceStarts(data: Data, document: number): number[] {
  let start = 0;
  return data.encoded(document).text.map((sentence) => {
    const first = start;
    start += tokensOf(sentence).length;
    return first;
  });
}

/** Finds the tokens of a sentence on which some of its letters are, after folding. */
export function tokenRange(
  tokens: readonly string[],
  start: number,
  length: number,
): [number, number] {
  let first = 0;
  let last = 0;
  let place = 0;
  tokens.forEach((token, number) => {
    if (place <= start) first = number;
    if (place < start + length) last = number;
    place += folded(token).length + 1;
  });
  return [first, last];
}
