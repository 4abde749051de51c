/** Which mentions an entity in focus lights, and which entities are confused with it. */

import type { Document } from "./data";
import { KEY, keyEntityOf, nameOf, sideOf } from "./layers";
import type { Focus } from "./state";

export interface Lit {
  /** Mentions of the entity itself, on both sides; names as of `nameOf`. */
  readonly strong: ReadonlySet<string>;
  /** Mentions of the entities that it is confused with. */
  readonly related: ReadonlySet<string>;
}

/** The entities that share mentions with one another, as a small table. */
export interface Group {
  readonly system: number;
  readonly keyEntities: readonly number[];
  readonly responseEntities: readonly number[];
  /** Shared mentions, a row for each entity of the key. */
  readonly shared: readonly (readonly number[])[];
  /** For each entity of the key: mentions that the response lacks. */
  readonly missing: readonly number[];
  /** For each entity of the response: mentions that the key lacks. */
  readonly extra: readonly number[];
}

export function systemOf(focus: Focus): number {
  return focus.side === "key" ? KEY : focus.system;
}

/** The entities of a system that have a mention of an entity of the key. */
function responseEntitiesOf(
  document: Document,
  system: number,
  keyEntity: number,
): number[] {
  const side = sideOf(document, system);
  const found = new Set<number>();
  side.entityOf.forEach((entity, span) => {
    if (entity && keyEntityOf(document, system, span) === keyEntity) found.add(entity);
  });
  return ascending(found);
}

/** The entities of the key that an entity of a system has mentions of. */
function keyEntitiesOf(document: Document, system: number, entity: number): number[] {
  const found = new Set<number>();
  for (const span of sideOf(document, system).entities[entity] ?? []) {
    const keyEntity = keyEntityOf(document, system, span);
    if (keyEntity) found.add(keyEntity);
  }
  return ascending(found);
}

export function litBy(
  document: Document,
  systems: readonly number[],
  focus: Focus,
): Lit {
  const strong = new Set<string>();
  const related = new Set<string>();
  const light = (set: Set<string>, system: number, spans: readonly number[]): void => {
    for (const span of spans) set.add(nameOf(system, span));
  };
  const own = systemOf(focus);
  const isKey = own === KEY;
  light(strong, own, sideOf(document, own).entities[focus.entity] ?? []);
  const keyEntities = isKey
    ? [focus.entity]
    : keyEntitiesOf(document, own, focus.entity);
  for (const keyEntity of keyEntities) {
    light(related, KEY, document.key.entities[keyEntity] ?? []);
  }
  for (const system of systems) {
    sideOf(document, system).entityOf.forEach((entity, span) => {
      if (!entity) return;
      const keyEntity = keyEntityOf(document, system, span);
      if (!keyEntities.includes(keyEntity)) return;
      if (isKey) strong.add(nameOf(system, span));
      light(related, system, sideOf(document, system).entities[entity] ?? []);
    });
  }
  if (!isKey) {
    const twins = document.responses[own]?.keySpan ?? [];
    for (const span of sideOf(document, own).entities[focus.entity] ?? []) {
      const twin = twins[span] ?? -1;
      if (twin >= 0) strong.add(nameOf(KEY, twin));
    }
  }
  return { strong, related };
}

/** The table of an entity in focus and those that share mentions with it. */
export function groupOf(document: Document, system: number, focus: Focus): Group {
  const keys = new Set<number>();
  const responses = new Set<number>();
  if (focus.side === "key") {
    keys.add(focus.entity);
    for (const entity of responseEntitiesOf(document, system, focus.entity)) {
      responses.add(entity);
      for (const key of keyEntitiesOf(document, system, entity)) keys.add(key);
    }
  } else {
    const own = keyEntitiesOf(document, focus.system, focus.entity);
    if (focus.system === system) responses.add(focus.entity);
    for (const key of own) {
      keys.add(key);
      for (const entity of responseEntitiesOf(document, system, key)) {
        responses.add(entity);
      }
    }
  }
  return tableOf(document, system, ascending(keys), ascending(responses));
}

function tableOf(
  document: Document,
  system: number,
  keyEntities: number[],
  responseEntities: number[],
): Group {
  const side = sideOf(document, system);
  const shared = keyEntities.map(() => responseEntities.map(() => 0));
  const found = keyEntities.map(() => 0);
  const extra = responseEntities.map(() => 0);
  side.entityOf.forEach((entity, span) => {
    if (!entity) return;
    const keyEntity = keyEntityOf(document, system, span);
    const row = keyEntities.indexOf(keyEntity);
    const column = responseEntities.indexOf(entity);
    if (row >= 0) found[row] = (found[row] ?? 0) + 1;
    if (column < 0) return;
    const cells = shared[row];
    if (cells) cells[column] = (cells[column] ?? 0) + 1;
    else if (!keyEntity) extra[column] = (extra[column] ?? 0) + 1;
  });
  const missing = keyEntities.map(
    (entity, row) => (document.key.entities[entity]?.length ?? 0) - (found[row] ?? 0),
  );
  return { system, keyEntities, responseEntities, shared, missing, extra };
}

function ascending(numbers: Iterable<number>): number[] {
  return [...numbers].sort((a, b) => a - b);
}
