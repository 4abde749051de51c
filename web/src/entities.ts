/**
 * All entities of a document, as a list: what a page without systems shows beside the
 * text while no entity is in focus. Each leads to the entity.
 */

import { colourOf } from "./colours";
import type { Document } from "./data";
import { button, element } from "./elements";
import { counted, wordsOf } from "./words";

const MOST_ENTITIES = 200;
const MOST_FORMS = 4;

/** One entity of the list. */
export interface Listed {
  readonly entity: number;
  readonly size: number;
  /** How its mentions are said, the first ones, each once. */
  readonly forms: readonly string[];
  /** How many more ways there are. */
  readonly more: number;
}

/** Lists the entities of two mentions or more, the largest first. */
export function entitiesOf(document: Document): Listed[] {
  return document.key.entities
    .map((spans, entity) => ({ entity, spans }))
    .filter(({ spans }) => spans.length > 1)
    .sort((a, b) => b.spans.length - a.spans.length || a.entity - b.entity)
    .map(({ entity, spans }) => {
      const forms = [...new Set(spans.map((span) => wordsOf(document, span)))];
      const more = Math.max(0, forms.length - MOST_FORMS);
      return { entity, size: spans.length, forms: forms.slice(0, MOST_FORMS), more };
    });
}

/** Draws the list; `open` puts an entity into focus. */
export function drawEntities(
  document: Document,
  open: (entity: number) => void,
): HTMLElement {
  const found = entitiesOf(document);
  const alone = document.key.entities.filter((spans) => spans.length === 1).length;
  const list = element("ol", { class: "entity-list" });
  for (const one of found.slice(0, MOST_ENTITIES)) list.append(row(one, open));
  const left = found.length - MOST_ENTITIES;
  const notes = [
    left > 0 ? `${counted(left, "smaller entity", "smaller entities")} not listed` : "",
    alone ? `${counted(alone, "entity", "entities")} of one mention` : "",
  ].filter(Boolean);
  const title = found.length
    ? counted(found.length, "entity", "entities")
    : "No entity has two mentions";
  const tail = found.length ? " of two mentions or more" : "";
  return element(
    "div",
    { class: "entities" },
    element("h3", { text: `${title}${tail}` }),
    list,
    ...notes.map((text) => element("p", { class: "hint", text })),
  );
}

function row(one: Listed, open: (entity: number) => void): HTMLElement {
  const chip = element("span", {
    class: `chip ${colourOf(one.entity)}`,
    text: `${one.entity}`,
  });
  const said = one.forms.join(" · ") + (one.more ? ` · ${one.more} more` : "");
  const link = button("", () => open(one.entity), {
    class: "to-mention",
    set: {
      "aria-label": `entity ${one.entity}, ${counted(one.size, "mention")}: ${said}`,
    },
  });
  link.append(element("bdi", { text: said }));
  const size = element("span", { class: "size", text: `${one.size}×` });
  return element("li", {}, chip, link, size);
}
