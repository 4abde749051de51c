/** Which errors are listed, how many there are of each sort, and which comes next. */

import { type ErrorRows, FACETS, type Facet } from "./listing";

/** What somebody chose: for each facet the values that are let through, null for all. */
export type Choice = Readonly<Record<Facet, ReadonlySet<number> | null>>;

export const EVERYTHING: Choice = {
  kind: null,
  type: null,
  system: null,
  distance: null,
  shared: null,
};

export interface Filtered {
  /** The rows of all documents that were let through, in the order of documents. */
  readonly rows: Int32Array;
  /** Those of them that are in the documents asked for. */
  readonly listed: Int32Array;
  /** For each value of a facet, how many would be listed if it alone were chosen. */
  readonly counts: Readonly<Record<Facet, Uint32Array>>;
  /** How many rows of each document were let through. */
  readonly documents: Uint32Array;
}

/**
 * Filters errors, and counts them.
 *
 * @param order the documents, in the order in which people go through them.
 * @param asked the document whose errors are listed; null for all.
 */
export function filtered(
  rows: ErrorRows,
  choice: Choice,
  order: readonly number[],
  asked: number | null,
): Filtered {
  const passed: number[] = [];
  const listed: number[] = [];
  const counts = emptyCounts(rows);
  const documents = new Uint32Array(rows.starts.length - 1);
  for (const document of order) {
    const end = rows.starts[document + 1] ?? 0;
    for (let row = rows.starts[document] ?? 0; row < end; row++) {
      const failed = failedFacets(rows, choice, row);
      const isAsked = asked === null || asked === document;
      if (isAsked) count(rows, row, failed, counts);
      if (failed.length) continue;
      passed.push(row);
      documents[document] = (documents[document] ?? 0) + 1;
      if (isAsked) listed.push(row);
    }
  }
  return {
    rows: Int32Array.from(passed),
    listed: Int32Array.from(listed),
    counts,
    documents,
  };
}

const NOTHING: readonly Facet[] = [];

/** Lists the facets that keep a row out. */
function failedFacets(rows: ErrorRows, choice: Choice, row: number): readonly Facet[] {
  let failed: Facet[] | null = null;
  for (const facet of FACETS) {
    const chosen = choice[facet];
    if (chosen && !chosen.has(rows.facets[facet][row] ?? 0)) {
      failed ??= [];
      failed.push(facet);
    }
  }
  return failed ?? NOTHING;
}

/** Counts a row for each facet that would let it through if another value were chosen. */
function count(
  rows: ErrorRows,
  row: number,
  failed: readonly Facet[],
  counts: Record<Facet, Uint32Array>,
): void {
  if (failed.length > 1) return;
  for (const facet of failed.length ? failed : FACETS) {
    const value = rows.facets[facet][row] ?? 0;
    const of = counts[facet];
    of[value] = (of[value] ?? 0) + 1;
  }
}

function emptyCounts(rows: ErrorRows): Record<Facet, Uint32Array> {
  const counts = (facet: Facet): Uint32Array =>
    new Uint32Array(rows.labels[facet].length);
  return {
    kind: counts("kind"),
    type: counts("type"),
    system: counts("system"),
    distance: counts("distance"),
    shared: counts("shared"),
  };
}

/** Where somebody is: at an error, or in a document; null outside all of them. */
export interface Place {
  readonly row: number | null;
  readonly document: number | null;
}

/**
 * Finds the next or previous error, by its place in `passed`; null after the last one.
 * An error that is not let through, or a document in which no error is chosen, is a
 * place between errors.
 */
export function step(
  rows: ErrorRows,
  passed: Int32Array,
  order: readonly number[],
  place: Place,
  direction: 1 | -1,
): number | null {
  const rank = new Map(order.map((document, at) => [document, at]));
  const rankOf = (document: number): number => rank.get(document) ?? -1;
  const at = place.row === null ? -1 : passed.indexOf(place.row);
  let next: number;
  if (at >= 0) next = at + direction;
  else if (place.document === null) next = direction > 0 ? 0 : passed.length - 1;
  else {
    const here = rankOf(place.document);
    const isAfter = (row: number): boolean => {
      const other = rankOf(rows.document[row] ?? 0);
      return other > here || (other === here && row >= (place.row ?? 0));
    };
    const after = passed.findIndex(isAfter);
    const first = after < 0 ? passed.length : after;
    next = direction > 0 ? first : first - 1;
  }
  return next >= 0 && next < passed.length ? next : null;
}

/** Puts a system first among those shown, two at most. */
export function withFirst(systems: readonly number[], first: number): number[] {
  if (systems.length < 2) return [first];
  const other = systems.find((system) => system !== first);
  return other === undefined ? [first] : [first, other];
}

/** Switches a system on or off. One stays on; a third takes the place of the older. */
export function toggled(systems: readonly number[], system: number): number[] {
  if (!systems.includes(system)) return [...systems, system].slice(-2);
  return systems.length > 1 ? systems.filter((one) => one !== system) : [...systems];
}
