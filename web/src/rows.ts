/** The mentions of an entity in focus and of those confused with it, side by side. */

import type { Document } from "./data";
import { litBy, systemOf } from "./focusing";
import { KEY, keyEntityOf, sideOf } from "./layers";
import type { Focus } from "./state";

/** A mention on all sides shown: the key, then each system. */
export interface Row {
  /** The place of the row in the text: a span of the document. */
  readonly span: number;
  readonly cells: readonly Cell[];
  /** Whether it belongs to the entity in focus, and not only to one beside it. */
  readonly isOwn: boolean;
}

export interface Cell {
  readonly span: number;
  readonly entity: number;
  readonly keyEntity: number;
}

/** Aligns mentions: a mention of a response stands beside the key's that it matches. */
export function rowsOf(
  document: Document,
  systems: readonly number[],
  focus: Focus,
): Row[] {
  const { strong, related } = litBy(document, systems, focus);
  const sides = [KEY, ...systems];
  const places = new Set<number>();
  const own = new Set<number>();
  for (const name of new Set([...strong, ...related])) {
    const [system = KEY, span = 0] = name.split(":").map(Number);
    const twin = system === KEY ? span : twinOf(document, system, span);
    const place = twin < 0 ? span : twin;
    if (strong.has(name) && (twin >= 0 || system === systemOf(focus))) own.add(place);
    places.add(place);
  }
  return [...places]
    .sort((a, b) => a - b)
    .map((place) => ({
      span: place,
      cells: sides.map((system) => cellOf(document, system, place)),
      isOwn: own.has(place),
    }));
}

const EMPTY: Cell = { span: -1, entity: 0, keyEntity: 0 };

/** What a side has at a place: the mention matched with it, or the same tokens. */
function cellOf(document: Document, system: number, place: number): Cell {
  const side = sideOf(document, system);
  const twins = document.responses[system]?.keySpan ?? [];
  const span = system === KEY ? place : twins.indexOf(place);
  const found =
    span >= 0 && side.entityOf[span] ? span : sameTokens(side.entityOf, twins, place);
  const entity = side.entityOf[found] ?? 0;
  if (!entity) return EMPTY;
  return { span: found, entity, keyEntity: keyEntityOf(document, system, found) };
}

/** The span itself, where a side has it with no partner in the key. */
function sameTokens(
  entityOf: readonly number[],
  twins: readonly number[],
  place: number,
): number {
  return entityOf[place] && (twins[place] ?? -1) < 0 ? place : -1;
}

function twinOf(document: Document, system: number, span: number): number {
  return document.responses[system]?.keySpan[span] ?? -1;
}
