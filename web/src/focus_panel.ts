/** The panel of the entity in focus: its mentions on all sides, and its matrix. */

import type { Data, Document } from "./data";
import { KEY, keyEntityOf, sentenceExtents, sentenceOf, sideOf } from "./document_view";
import { button, element } from "./elements";
import { focusOfError } from "./error_arrows";
import { counted, listed, wordsOf } from "./error_text";
import { type Group, groupOf, litBy, systemOf } from "./focus";
import { colourOf } from "./legend";
import type { Focus, Store } from "./state";

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

const MOST = 14; // entities of a side

export function drawMatrix(
  open: Document,
  data: Data,
  group: Group,
  go: (focus: Focus) => void,
): HTMLElement {
  const name = data.systems[group.system] ?? "";
  const columns = group.responseEntities.slice(0, MOST);
  const rows = group.keyEntities.slice(0, MOST);
  const hasMissing = rows.some((_, row) => group.missing[row]);
  const heads = columns.map((entity) => {
    const focus: Focus = { side: "response", system: group.system, entity };
    return head("col", entity, "", () => go(focus), `${name} entity ${entity}`);
  });
  if (hasMissing) heads.push(element("th", { text: "none", set: { scope: "col" } }));
  const body = rows.map((entity, row) => {
    const focus: Focus = { side: "key", system: 0, entity };
    const counts = columns.map((_, column) => group.shared[row]?.[column] ?? 0);
    if (hasMissing) counts.push(group.missing[row] ?? 0);
    const label = head(
      "row",
      entity,
      colourOf(entity),
      () => go(focus),
      `${data.key} entity ${entity}`,
    );
    return element(
      "tr",
      {},
      label,
      ...counts.map((count) => cell(count, colourOf(entity))),
    );
  });
  if (columns.some((_, column) => group.extra[column])) {
    const counts = columns.map((_, column) => group.extra[column] ?? 0);
    if (hasMissing) counts.push(0);
    const label = element("th", { text: "none", set: { scope: "row" } });
    body.push(element("tr", {}, label, ...counts.map((count) => cell(count, "none"))));
  }
  const left =
    group.keyEntities.length +
    group.responseEntities.length -
    rows.length -
    columns.length;
  const caption = element(
    "caption",
    {},
    "Shared mentions: ",
    element("bdi", { text: data.key }),
    " entities (rows) by ",
    element("bdi", { text: name }),
    " entities (columns)",
  );
  if (left) caption.append(`; ${left} more are left out`);
  const table = element(
    "table",
    { class: "matrix" },
    caption,
    element("thead", {}, element("tr", {}, element("td"), ...heads)),
    element("tbody", {}, ...body),
  );
  table.dataset.document = open.id;
  return element("div", { class: "wide" }, table);
}

function head(
  scope: string,
  entity: number,
  colour: string,
  act: () => void,
  label: string,
): HTMLElement {
  const chip = button(`${entity}`, act, {
    class: `chip ${colour}`,
    set: { "aria-label": label },
  });
  return element("th", { set: { scope } }, chip);
}

function cell(count: number, colour: string): HTMLElement {
  const made = element("td", {
    class: count ? `count ${colour}` : "zero",
    text: count ? `${count}` : "·",
  });
  return made;
}

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

const MOST_ROWS = 300;
const lowered = (said: string) => said.charAt(0).toLowerCase() + said.slice(1);
const SIGNS: Readonly<Record<Mark, string>> = { right: "✓", wrong: "✗", absent: "–" };

export class FocusPanel {
  readonly #home: HTMLElement;
  readonly #data: Data;
  readonly #store: Store;
  #marks = new Map<string, (Mark | null)[]>();

  constructor(home: HTMLElement, data: Data, store: Store) {
    this.#home = home;
    this.#data = data;
    this.#store = store;
    home.classList.add("focus-panel");
    store.listen(() => this.#draw());
    this.#draw();
  }

  #draw(): void {
    const { state } = this.#store;
    const number = state.document;
    this.#home.hidden = number === null;
    if (number === null) return;
    const open = this.#data.document(number);
    const focus = state.focus ?? focusOfError(open, state);
    const side = focus && sideOf(open, focus.side === "key" ? KEY : focus.system);
    const isThere = focus && side?.entities[focus.entity]?.length;
    const parts = isThere ? this.#about(open, focus) : this.#waiting(open);
    this.#home.replaceChildren(...parts);
  }

  /** What stands here while no entity is in focus; without systems, all entities. */
  #waiting(open: Document): HTMLElement[] {
    if (this.#data.systems.length || !open.spans.length) return [hint(open)];
    const focus = (entity: number) =>
      this.#store.set({ focus: { side: "key", system: 0, entity } });
    return [drawEntities(open, focus)];
  }

  #about(open: Document, focus: Focus): HTMLElement[] {
    const { systems } = this.#store.state;
    const parts = [this.#head(open, focus)];
    for (const system of systems) {
      if (focus.side === "response" && focus.system !== system) continue;
      const said = sayGroup(open, focus, groupOf(open, system, focus)).join(" ");
      const name = element(
        "b",
        {},
        element("bdi", { text: this.#data.systems[system] ?? "" }),
      );
      parts.push(element("p", { class: "said" }, name, ": ", lowered(said)));
    }
    for (const system of systems) {
      const group = groupOf(open, system, focus);
      if (!group.responseEntities.length) continue;
      parts.push(
        drawMatrix(open, this.#data, group, (to) => this.#store.set({ focus: to })),
      );
    }
    parts.push(this.#mentions(open, focus));
    return parts;
  }

  #head(open: Document, focus: Focus): HTMLElement {
    const isKey = focus.side === "key";
    const system = isKey ? KEY : focus.system;
    const size = sideOf(open, system).entities[focus.entity]?.length ?? 0;
    const side = isKey ? this.#data.key : (this.#data.systems[focus.system] ?? "");
    const name = this.#data.systems.length ? element("bdi", { text: `${side} ` }) : "";
    const chip = element("span", {
      class: `chip ${isKey ? colourOf(focus.entity) : ""}`,
      text: `${focus.entity}`,
    });
    const title = element(
      "h3",
      {},
      name,
      "entity ",
      chip,
      `, ${counted(size, "mention")}`,
    );
    const close = button(
      "Let go",
      () => this.#store.set({ focus: null, error: null }),
      {
        class: "let-go",
        set: { title: "Escape" },
      },
    );
    return element("div", { class: "panel-head" }, title, close);
  }

  #mentions(open: Document, focus: Focus): HTMLElement {
    const { systems } = this.#store.state;
    const rows = rowsOf(open, systems, focus);
    const body = element("tbody");
    const sentences = sentenceExtents(open.sentences);
    const words = (span: number) => wordsOf(open, span);
    for (const row of rows.slice(0, MOST_ROWS)) {
      const sentence = sentenceOf(sentences, open.spans[row.span]?.first ?? 0) + 1;
      body.append(this.#row(open, row, sentence, words));
    }
    const heads = [
      this.#data.key,
      ...systems.map((one) => this.#data.systems[one] ?? ""),
    ];
    if (!this.#data.systems.length) heads.splice(0, 1, "mention");
    const names = heads.map((name) =>
      element("th", { set: { scope: "col" } }, element("bdi", { text: name })),
    );
    const strip = this.#hasStrip()
      ? [element("th", { text: "systems", set: { scope: "col" } })]
      : [];
    const left = rows.length - MOST_ROWS;
    const caption = `Mentions in the order of the text${left > 0 ? `; ${left} more are not listed` : ""}`;
    const table = element(
      "table",
      { class: "mentions" },
      element("caption", { text: caption }),
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          ...(sentences.length > 1
            ? [element("th", { text: "sentence", set: { scope: "col" } })]
            : []),
          ...names,
          ...strip,
        ),
      ),
      body,
    );
    return element("div", { class: "wide" }, table);
  }

  #row(
    open: Document,
    row: Row,
    sentence: number,
    words: (span: number) => string,
  ): HTMLElement {
    const text = words(row.span);
    const cells = row.cells.map((cell, at) => {
      const isKey = at === 0;
      const isSame = !isKey && cell.span === row.span && row.cells[0]?.entity !== 0;
      return this.#cell(
        open,
        cell,
        isSame ? "same" : cell.entity ? words(cell.span) : "",
      );
    });
    const strip = this.#hasStrip() ? [this.#strip(open, row, text)] : [];
    return element(
      "tr",
      { class: row.isOwn ? "is-own" : "" },
      ...(open.sentences.length > 1
        ? [element("th", { text: `${sentence}`, set: { scope: "row" } })]
        : []),
      ...cells,
      ...strip,
    );
  }

  #cell(open: Document, cell: Cell, text: string): HTMLElement {
    if (!cell.entity) return element("td", { class: "lacks", text: "–" });
    const { first = 0, last = 0 } = open.spans[cell.span] ?? {};
    const chip = element("span", {
      class: `chip ${colourOf(cell.keyEntity)}`,
      text: `${cell.entity}`,
    });
    const go = () => this.#store.set({ mention: `${first}-${last}` });
    const link = button("", go, {
      class: text === "same" ? "to-mention same" : "to-mention",
    });
    link.append(element("bdi", { text }));
    return element("td", {}, element("div", { class: "pair" }, chip, link));
  }

  #hasStrip(): boolean {
    return this.#data.systems.length > 1;
  }

  /** One mark a system: whether it has the mention, and in the entity that fits. */
  #strip(open: Document, row: Row, words: string): HTMLElement {
    const marks = this.#data.systems.map((_, system) => this.#marksOf(open, system));
    if (!row.cells[0]?.entity) return element("td");
    const strip = stripOf(marks, open, KEY, row.span);
    const said = strip
      .map((mark, at) => `${this.#data.systems[at]}: ${mark}`)
      .join(", ");
    const cell = element("td", { class: "mark-strip", set: { title: said } });
    cell.setAttribute("aria-label", `${words}: ${said}`);
    for (const mark of strip) {
      cell.append(element("span", { class: mark, text: SIGNS[mark] }));
    }
    return cell;
  }

  #marksOf(open: Document, system: number): (Mark | null)[] {
    const name = `${open.number}:${system}`;
    const known = this.#marks.get(name) ?? marksOf(open, system);
    this.#marks.set(name, known);
    return known;
  }
}

function hint(open: Document): HTMLElement {
  const what = open.spans.length
    ? "Point at a mention to see its entity on both sides. Click it, or press Enter, to keep it here; Escape lets go."
    : "This document has no mentions.";
  return element("p", { class: "hint", text: what });
}
