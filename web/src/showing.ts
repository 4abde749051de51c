/** Which mentions are drawn where singletons are hidden. */

import type { Document } from "./data";
import { litBy } from "./focusing";
import { KEY, type Mention, mentionsOf, nameOf, sideOf } from "./layers";
import { errorOf, focusOfError } from "./marks";
import type { State } from "./state";

const MANY = 10;

/** Mentions that may be hidden, and whether they are while nobody has said. */
export interface Alone {
  /** Names, as of `nameOf`. */
  readonly names: ReadonlySet<string>;
  /** They are many, and more than a third of what there is. */
  readonly areMany: boolean;
}

/**
 * Finds the mentions that are alone in their entities on every side shown. A mention
 * that is alone on one side and linked on another is an error to be seen.
 */
export function aloneIn(document: Document, systems: readonly number[]): Alone {
  const sides = [KEY, ...systems];
  const mentions = sides.flatMap((system) => mentionsOf(document, system));
  const placeOf = ({ system, span }: Mention): number => {
    const twin = document.responses[system]?.keySpan[span.number] ?? -1;
    return twin < 0 ? span.number : twin;
  };
  const linked = new Set<number>();
  for (const one of mentions) if (!one.isSingleton) linked.add(placeOf(one));
  const names = new Set<string>();
  for (const one of mentions) {
    const isAlone = one.isSingleton && !linked.has(placeOf(one));
    if (isAlone) names.add(nameOf(one.system, one.span.number));
  }
  return { names, areMany: names.size > MANY && 3 * names.size > mentions.length };
}

/** The mentions that the state asks for: in focus, in the error shown, or by a link. */
export function askedFor(document: Document, state: State): Set<string> {
  const { systems, mention } = state;
  const focus = state.focus ?? focusOfError(document, state);
  const error = errorOf(document, state);
  const linked = document.spans.filter(
    (span) => mention !== null && `${span.first}-${span.last}` === mention,
  );
  const spans = [...(error?.spans ?? []), ...linked.map((span) => span.number)];
  const sides = [KEY, ...systems];
  const names = new Set<string>();
  for (const system of sides) {
    const { entityOf } = sideOf(document, system);
    for (const span of spans) if (entityOf[span]) names.add(nameOf(system, span));
  }
  if (focus) for (const name of litBy(document, systems, focus).strong) names.add(name);
  return names;
}
