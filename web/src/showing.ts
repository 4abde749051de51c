/** Which mentions are drawn where singletons are hidden. */

import type { Document } from "./data";
import { litBy } from "./focusing";
import { hasManySingletons, KEY, mentionsOf, nameOf, sideOf } from "./layers";
import { errorOf, focusOfError } from "./marks";
import type { State } from "./state";

/** Whether singletons of the sides shown would hide the rest. */
export function hasMany(document: Document, systems: readonly number[]): boolean {
  const sides = [KEY, ...systems];
  return hasManySingletons(sides.flatMap((system) => mentionsOf(document, system)));
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
