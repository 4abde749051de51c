/**
 * What each system makes of a mention of the key: right, wrong or absent.
 *
 * It is right if the system has the mention in the entity that fits: of the entities of
 * the response that one shares most mentions with the mention's entity, and of the key's
 * entities that one shares most with it. Of several with as many, the first fits.
 */

import type { Document } from "./data";
import { KEY, keyEntityOf, sideOf } from "./layers";

export type Mark = "right" | "wrong" | "absent";

/** For each span of the document the mark of a system; null where the key has none. */
export function marksOf(document: Document, system: number): (Mark | null)[] {
  const marks = document.key.entityOf.map((entity): Mark | null =>
    entity ? "absent" : null,
  );
  const fitting = fittingEntities(document, system);
  const response = document.responses[system];
  response?.entityOf.forEach((entity, span) => {
    const twin = response.keySpan[span] ?? -1;
    if (!entity || twin < 0) return;
    const keyEntity = document.key.entityOf[twin] ?? 0;
    marks[twin] = fitting.get(keyEntity) === entity ? "right" : "wrong";
  });
  return marks;
}

/** The entity of the response that fits each entity of the key, where one does. */
export function fittingEntities(
  document: Document,
  system: number,
): Map<number, number> {
  const shared = new Map<string, [number, number, number]>();
  sideOf(document, system).entityOf.forEach((entity, span) => {
    const keyEntity = keyEntityOf(document, system, span);
    if (!entity || !keyEntity) return;
    const name = `${keyEntity}:${entity}`;
    const count = shared.get(name)?.[2] ?? 0;
    shared.set(name, [keyEntity, entity, count + 1]);
  });
  const pairs = [...shared.values()].sort(
    (a, b) => b[2] - a[2] || a[0] - b[0] || a[1] - b[1],
  );
  const ofKey = new Map<number, number>();
  const ofResponse = new Map<number, number>();
  for (const [keyEntity, entity] of pairs) {
    if (!ofKey.has(keyEntity)) ofKey.set(keyEntity, entity);
    if (!ofResponse.has(entity)) ofResponse.set(entity, keyEntity);
  }
  return new Map([...ofKey].filter(([key, entity]) => ofResponse.get(entity) === key));
}

/** The marks of all systems for one mention; for a mention of a response, of its twin. */
export function stripOf(
  marks: readonly (readonly (Mark | null)[])[],
  document: Document,
  system: number,
  span: number,
): Mark[] {
  const twin =
    system === KEY ? span : (document.responses[system]?.keySpan[span] ?? -1);
  return marks.map((ofSystem) => ofSystem[twin] ?? "absent");
}
