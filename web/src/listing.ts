/**
 * The errors of all documents and systems as columns of numbers, in reading order: tens
 * of thousands are filtered and counted at each click.
 */

import type { Data, EncodedDocument } from "./data";
import { tokensOf } from "./data";

/** What errors are filtered by, beside their document. */
export const FACETS = ["kind", "type", "system", "distance", "shared"] as const;
export type Facet = (typeof FACETS)[number];

/** A row is an error of one system; all columns have one number for each row. */
export interface ErrorRows {
  readonly count: number;
  /** The first row of each document, and the number of rows at the end. */
  readonly starts: Int32Array;
  readonly document: Int32Array;
  /** Its place in the errors of its system and document. */
  readonly place: Int32Array;
  /** For each facet the number of its value, a place in `labels`. */
  readonly facets: Readonly<Record<Facet, Uint16Array>>;
  /** What the values of each facet are called. */
  readonly labels: Readonly<Record<Facet, readonly string[]>>;
}

/** The kinds that are links: the other view of the same differences. */
export const LINKS: ReadonlySet<string> = new Set(["recall", "precision"]);

// The first distance of each class, as `corefkit errors --links` has them.
const SENTENCES = [0, 1, 2, 3, 6];
const TOKENS = [0, 10, 20, 50, 100];
const DISTANCES = [
  "no link",
  "same sentence",
  "1 sentence",
  "2 sentences",
  "3 to 5 sentences",
  "6 or more sentences",
  "0 to 9 tokens",
  "10 to 19 tokens",
  "20 to 49 tokens",
  "50 to 99 tokens",
  "100 or more tokens",
  "not known",
];
const SHARED = ["only one system", "several systems", "every system"];
const LONGEST_SENTENCE = 250; // tokens; a document of one longer one has none marked

/** Says whether distances of a document are in sentences, or else in tokens. */
export function hasSentences(document: EncodedDocument): boolean {
  if (document.wordless) return false;
  if (document.text.length !== 1) return true;
  return tokensOf(document.text[0] ?? []).length <= LONGEST_SENTENCE;
}

/** Says in which class a distance is, a place in the labels of the facet. */
export function distanceClass(distance: number, inSentences: boolean): number {
  if (distance < 0) return DISTANCES.length - 1;
  const starts = inSentences ? SENTENCES : TOKENS;
  const classes = starts.filter((start) => start <= distance).length;
  return inSentences ? classes : SENTENCES.length + classes;
}

/** Says who makes an error: one system, several, or every one. */
export function sharedClass(madeBy: number, systems: number): number {
  if (madeBy <= 1) return 0;
  return madeBy < systems ? 1 : 2;
}

interface Row {
  readonly system: number;
  readonly place: number;
  readonly span: number;
  readonly facets: readonly number[]; // in the order of FACETS
}

/** Lists the errors of all documents. */
export function errorRows(data: Data): ErrorRows {
  const starts = new Int32Array(data.ids.length + 1);
  const lists = data.ids.map((_, number) => {
    const rows = rowsOf(data.encoded(number), data.systems.length);
    starts[number + 1] = (starts[number] ?? 0) + rows.length;
    return rows;
  });
  const count = starts[data.ids.length] ?? 0;
  const document = new Int32Array(count);
  const place = new Int32Array(count);
  const columns = FACETS.map(() => new Uint16Array(count));
  lists.forEach((rows, number) => {
    rows.forEach((row, at) => {
      const to = (starts[number] ?? 0) + at;
      document[to] = number;
      place[to] = row.place;
      columns.forEach((column, facet) => {
        column[to] = row.facets[facet] ?? 0;
      });
    });
  });
  const [kind, type, system, distance, shared] = columns as Uint16Array[];
  return {
    count,
    starts,
    document,
    place,
    facets: { kind, type, system, distance, shared } as Record<Facet, Uint16Array>,
    labels: {
      kind: data.kinds,
      type: data.types.map((name) => name || "not known"),
      system: data.systems,
      distance: DISTANCES,
      shared: SHARED,
    },
  };
}

/** Lists the errors of a document: by place in the text, then by kind, then by system. */
function rowsOf(document: EncodedDocument, systems: number): Row[] {
  const inSentences = hasSentences(document);
  const rows: Row[] = [];
  (document.responses ?? []).forEach((response, system) => {
    const errors = response.errors ?? [];
    errors.forEach(([kind = 0, type = 0, madeBy = 1, , span = 0], place) => {
      const facets = [kind, type, system, 0, sharedClass(madeBy, systems)];
      rows.push({ system, place, span, facets });
    });
    (response.links ?? []).forEach((link, at) => {
      const [kind = 0, type = 0, madeBy = 1, span = 0, , distance = -1] = link;
      const apart = distanceClass(distance, inSentences);
      const facets = [kind, type, system, apart, sharedClass(madeBy, systems)];
      rows.push({ system, place: errors.length + at, span, facets });
    });
  });
  const kindOf = (row: Row): number => row.facets[0] ?? 0;
  return rows.sort(
    (one, other) =>
      one.span - other.span ||
      kindOf(one) - kindOf(other) ||
      one.system - other.system ||
      one.place - other.place,
  );
}
