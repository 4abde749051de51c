/** What each system makes of an entity in focus, in sentences. */

import type { Document } from "./data";
import type { Group } from "./focusing";
import { sideOf } from "./layers";
import type { Focus } from "./state";
import { counted, listed } from "./words";

/** Says how a system's entities differ from an entity in focus. */
export function sayGroup(document: Document, focus: Focus, group: Group): string[] {
  return focus.side === "key"
    ? ofKey(document, focus.entity, group)
    : ofResponse(document, focus.entity, group);
}

function ofKey(document: Document, entity: number, group: Group): string[] {
  const row = group.keyEntities.indexOf(entity);
  const shared = group.shared[row] ?? [];
  const holding = group.responseEntities.filter((_, column) => shared[column]);
  const missing = group.missing[row] ?? 0;
  if (!holding.length) return ["It has none of these mentions."];
  const others = foreign(group, holding, [entity]);
  const said: string[] = [];
  if (holding.length > 1) {
    said.push(`It divides the entity: its mentions are in ${entitiesIn(holding)}.`);
  }
  if (missing) said.push(`It lacks ${counted(missing, "mention")}.`);
  if (others.length) said.push(`It mixes in mentions of key ${entitiesIn(others)}.`);
  const extra = holding.reduce((sum, one) => sum + extraOf(group, one), 0);
  if (extra) said.push(`It adds ${counted(extra, "mention")} that the key lacks.`);
  const size = document.key.entities[entity]?.length ?? 0;
  if (!said.length) {
    said.push(
      size > 1 ? "It has exactly this entity." : "It has this mention alone too.",
    );
  }
  return said;
}

function ofResponse(document: Document, entity: number, group: Group): string[] {
  const size = sideOf(document, group.system).entities[entity]?.length ?? 0;
  const extra = extraOf(group, entity);
  const column = group.responseEntities.indexOf(entity);
  const held = group.keyEntities.filter((_, row) => group.shared[row]?.[column]);
  if (!held.length) {
    return [`The key has ${size > 1 ? "none of these mentions" : "no such mention"}.`];
  }
  const said: string[] = [];
  if (held.length > 1) {
    said.push(
      `It joins mentions of key ${entitiesIn(held)}, which the key keeps apart.`,
    );
  }
  if (extra) said.push(`The key lacks ${counted(extra, "mention")} of it.`);
  const rest = held.filter((one) => {
    const row = group.keyEntities.indexOf(one);
    const all = document.key.entities[one]?.length ?? 0;
    return (group.shared[row]?.[column] ?? 0) < all;
  });
  if (rest.length) said.push(`It lacks other mentions of key ${entitiesIn(rest)}.`);
  if (!said.length) said.push(`It is key entity ${held[0]}, exactly.`);
  return said;
}

function extraOf(group: Group, entity: number): number {
  return group.extra[group.responseEntities.indexOf(entity)] ?? 0;
}

/** Entities of the key, besides some, that entities of the response have mentions of. */
function foreign(
  group: Group,
  holding: readonly number[],
  besides: readonly number[],
): number[] {
  return group.keyEntities.filter(
    (keyEntity, row) =>
      !besides.includes(keyEntity) &&
      holding.some((one) => group.shared[row]?.[group.responseEntities.indexOf(one)]),
  );
}

function entitiesIn(numbers: readonly number[]): string {
  return `${numbers.length === 1 ? "entity" : "entities"} ${listed(numbers)}`;
}
