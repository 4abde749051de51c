/** Layers: what of a document is drawn, side by side with where. */

import type { Document, Side, Span } from "./data";
import { depthsOf, type Extent, sentenceOf, slotsOf } from "./slots";

/** A mention as one side has it. */
export interface Mention {
  readonly span: Span;
  readonly side: "key" | "response";
  /** The number of the system; -1 for the key. */
  readonly system: number;
  readonly entity: number;
  /** The entity of the key that gives the colour; 0 for none. */
  readonly keyEntity: number;
  /** Whether its entity has no other mention on this side. */
  readonly isSingleton: boolean;
}

/** The mentions of one side that are drawn, each in its slot. */
export interface Layer {
  readonly side: "key" | "response";
  readonly system: number;
  readonly mentions: readonly Mention[];
  readonly slots: readonly number[];
  /** How many slots each sentence needs. */
  readonly depths: readonly number[];
  /** The places in `mentions` of what each sentence has. */
  readonly bySentence: readonly (readonly number[])[];
}

export const KEY = -1;

/** A name for a mention of a side, as keys of maps need one. */
export function nameOf(system: number, span: number): string {
  return `${system}:${span}`;
}

export function sideOf(document: Document, system: number): Side {
  return system === KEY
    ? document.key
    : (document.responses[system] ?? { entityOf: [], entities: [] });
}

/** The entity of the key that a mention of a side belongs to; 0 for none. */
export function keyEntityOf(document: Document, system: number, span: number): number {
  if (system === KEY) return document.key.entityOf[span] ?? 0;
  const twin = document.responses[system]?.keySpan[span] ?? -1;
  return twin < 0 ? 0 : (document.key.entityOf[twin] ?? 0);
}

/** All mentions of a side, in the order of the text. */
export function mentionsOf(document: Document, system: number): Mention[] {
  const side = sideOf(document, system);
  const mentions: Mention[] = [];
  for (const span of document.spans) {
    const entity = side.entityOf[span.number] ?? 0;
    if (!entity) continue;
    mentions.push({
      span,
      side: system === KEY ? "key" : "response",
      system,
      entity,
      keyEntity: keyEntityOf(document, system, span.number),
      isSingleton: side.entities[entity]?.length === 1,
    });
  }
  return mentions;
}

/** Puts the mentions of a side into slots; `isShown` leaves some out. */
export function layerOf(
  document: Document,
  system: number,
  sentences: readonly Extent[],
  isShown: (mention: Mention) => boolean,
): Layer {
  const mentions = mentionsOf(document, system).filter(isShown);
  const spans = mentions.map((mention) => mention.span);
  const slots = slotsOf(spans, sentences);
  const bySentence: number[][] = sentences.map(() => []);
  spans.forEach(({ first, last }, at) => {
    const end = sentenceOf(sentences, last);
    for (let one = sentenceOf(sentences, first); one <= end; one++) {
      bySentence[one]?.push(at);
    }
  });
  const side = system === KEY ? "key" : "response";
  const depths = depthsOf(spans, slots, sentences);
  return { side, system, mentions, slots, depths, bySentence };
}
