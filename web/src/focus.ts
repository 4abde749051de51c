/** Which mentions an entity in focus lights, and which entities are confused with it. */

import type { Document } from "./data";
import { type Drawn, KEY, keyEntityOf, nameOf, sideOf } from "./document_view";
import { element } from "./elements";
import { cellsOf, errorOf } from "./error_arrows";
import { type Mark, stripOf } from "./focus_panel";
import type { Focus, State } from "./state";

/** The focus that a drawn piece of a mention stands for. */
export function focusOf(piece: HTMLElement): Focus {
  const isKey = piece.dataset.side === "key";
  return {
    side: isKey ? "key" : "response",
    system: isKey ? 0 : Number(piece.dataset.system),
    entity: Number(piece.dataset.entity),
  };
}

export function isSameFocus(one: Focus | null, other: Focus | null): boolean {
  return (
    one?.side === other?.side &&
    one?.system === other?.system &&
    one?.entity === other?.entity
  );
}

/** The piece that an event is about: the innermost mention, where it is about a word. */
export function pieceAt(event: Event): HTMLElement | null {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return null;
  const piece = target.closest<HTMLElement>(".piece");
  if (piece) return piece;
  const pieces = target.closest(".token")?.querySelectorAll<HTMLElement>(".piece");
  const own = [...(pieces ?? [])];
  const keys = own.filter((one) => one.dataset.side === "key");
  const among = keys.length ? keys : own;
  return among.reduce<HTMLElement | null>(
    (best, one) =>
      best && Number(best.dataset.slot) >= Number(one.dataset.slot) ? best : one,
    null,
  );
}

export interface Scene {
  readonly open: Document;
  readonly text: HTMLElement;
  readonly drawn: Drawn;
  readonly state: State;
  /** For each system the marks of the spans; none if there is one system. */
  readonly marks: readonly (readonly (Mark | null)[])[];
}

const LIT = ["strong", "related", "asked", "lit", "lit-on", "leftward"];

export function light(scene: Scene, focus: Focus | null): void {
  const { text, state, open } = scene;
  for (const name of LIT) {
    for (const one of [...text.getElementsByClassName(name)])
      one.classList.remove(name);
  }
  for (const strip of [...text.getElementsByClassName("mark-strip")]) strip.remove();
  text.classList.toggle("focused", focus !== null);
  if (focus) {
    const { strong, related } = litBy(open, state.systems, focus);
    mark(scene.drawn, related, "related");
    mark(scene.drawn, strong, "strong");
    lightWords(scene.drawn, strong);
    if (scene.marks.length) addStrips(scene, strong);
  }
  press(text, state.focus);
  for (const cell of askedCells(scene)) cell.classList.add("asked");
}

/** The cells of the mention that was asked for; of its tokens, if no side has it. */
function askedCells({ open, drawn, state }: Scene): HTMLElement[] {
  const [first = -1, last = -1] = (state.mention ?? "").split("-").map(Number);
  const spans = open.spans.filter((span) => span.first === first && span.last === last);
  if (spans.length) return spans.flatMap((span) => cellsOf(open, drawn, span.number));
  const cells: HTMLElement[] = [];
  for (let token = first; token >= 0 && token <= last; token++) {
    const known = drawn.tokens.get(token);
    if (!known) break;
    cells.push(...known);
  }
  return cells;
}

function mark(drawn: Drawn, names: ReadonlySet<string>, as: string): void {
  for (const name of names) {
    for (const piece of drawn.pieces.get(name) ?? []) piece.classList.add(as);
  }
}

/** Marks the words of mentions, and the space behind where a mention goes on. */
function lightWords(drawn: Drawn, names: ReadonlySet<string>): void {
  for (const name of names) {
    for (const piece of drawn.pieces.get(name) ?? []) {
      const { classList } = piece.parentElement as HTMLElement;
      if (!piece.classList.contains("gap")) classList.add("lit");
      if (piece.classList.contains("last")) continue;
      classList.add("lit-on");
      if (piece.matches(":dir(rtl)")) classList.add("leftward");
    }
  }
}

/** Says to screen readers which mentions a click has pinned. */
function press(text: HTMLElement, focus: Focus | null): void {
  for (const piece of text.querySelectorAll('[aria-pressed="true"]')) {
    piece.setAttribute("aria-pressed", "false");
  }
  if (!focus) return;
  const system = focus.side === "key" ? "" : `${focus.system}`;
  const about = `[data-entity="${focus.entity}"][data-system="${system}"]`;
  for (const piece of text.querySelectorAll(`.piece.first${about}`)) {
    piece.setAttribute("aria-pressed", "true");
  }
}

/** A strip at the end of each mention of the key: one mark a system. */
function addStrips(scene: Scene, strong: ReadonlySet<string>): void {
  for (const name of strong) {
    const [system = KEY, span = 0] = name.split(":").map(Number);
    if (system !== KEY) continue;
    const strip = stripOf(scene.marks, scene.open, KEY, span);
    for (const piece of scene.drawn.pieces.get(name) ?? []) {
      if (piece.classList.contains("last")) piece.append(drawStrip(strip));
    }
  }
}

function drawStrip(marks: readonly Mark[]): HTMLElement {
  const strip = element("i", { class: "mark-strip", set: { "aria-hidden": "true" } });
  for (const one of marks) strip.append(element("i", { class: one }));
  return strip;
}

/** The token that a change of the state asks to see; -1 for none. */
export function askedToken(open: Document, state: State, before: State): number {
  const fields = ["document", "systems", "view", "focus", "error"] as const;
  const isOther = fields.some((field) => state[field] !== before[field]);
  const isNewMention =
    state.mention !== before.mention || state.document !== before.document;
  // To ask for the same mention once more is to ask to see it again.
  if (state.mention !== null && (isNewMention || !isOther)) {
    return Number(state.mention.split("-")[0]);
  }
  const isNew = state.error !== before.error || state.document !== before.document;
  if (!isNew || state.error === null) return -1;
  // Of an error that the document does not have, its beginning.
  const error = errorOf(open, state);
  return open.spans[error?.spans[0] ?? -1]?.first ?? 0;
}

export function revealToken(drawn: Drawn, token: number): void {
  const [cell] = drawn.tokens.get(token) ?? [];
  cell?.scrollIntoView({ block: "center", inline: "nearest" });
}

/** Scrolls to the first mention of the entity in focus, unless one can be seen. */
export function revealFocus(open: Document, state: State, drawn: Drawn): void {
  if (!state.focus) return;
  const { strong } = litBy(open, state.systems, state.focus);
  const pieces = [...strong].flatMap((name) => drawn.pieces.get(name) ?? []);
  const isSeen = pieces.some((piece) => {
    const box = piece.getBoundingClientRect();
    return box.top >= 0 && box.bottom <= window.innerHeight;
  });
  if (!isSeen) pieces[0]?.closest(".token")?.scrollIntoView({ block: "center" });
}

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
