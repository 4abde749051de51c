/** The open document: its text with the layers of its sides, and what is in focus. */

import type { Data, Document, Side, Span } from "./data";
import { element } from "./elements";
import { drawError, errorOf, focusOfError } from "./error_arrows";
import { kindsAt, labelOf, wordsOf } from "./error_text";
import {
  askedToken,
  focusOf,
  isSameFocus,
  light,
  litBy,
  pieceAt,
  revealFocus,
  revealToken,
} from "./focus";
import { type Mark, marksOf } from "./focus_panel";
import { colourOf, drawHeads, drawLegend } from "./legend";
import type { Focus, State, Store } from "./state";
import { type Cursor, moveCursor } from "./window_list";

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

export interface Extent {
  readonly first: number;
  readonly last: number;
}

/** The slot of each mention, from 0; mentions are in the order of `extents`. */
export function slotsOf(
  extents: readonly Extent[],
  sentences: readonly Extent[],
): number[] {
  const slots = new Array<number>(extents.length).fill(0);
  for (const unit of unitsOf(extents, sentences)) {
    const taken: Set<number>[] = [];
    for (const number of unit.sort((a, b) => comesFirst(extents, a, b))) {
      const { first, last } = extents[number] as Extent;
      const slot = lowestFree(taken, first, last);
      slots[number] = slot;
      taken[slot] ??= new Set();
      for (let token = first; token <= last; token++) taken[slot].add(token);
    }
  }
  return slots;
}

/** How many slots each sentence needs. */
export function depthsOf(
  extents: readonly Extent[],
  slots: readonly number[],
  sentences: readonly Extent[],
): number[] {
  const depths = new Array<number>(sentences.length).fill(0);
  extents.forEach(({ first, last }, number) => {
    const end = sentenceOf(sentences, last);
    for (let at = sentenceOf(sentences, first); at <= end; at++) {
      depths[at] = Math.max(depths[at] ?? 0, (slots[number] ?? 0) + 1);
    }
  });
  return depths;
}

/** First and last token of each sentence; an empty one ends before it begins. */
export function sentenceExtents(
  sentences: readonly { readonly length: number }[],
): Extent[] {
  let first = 0;
  return sentences.map(({ length }) => {
    const extent = { first, last: first + length - 1 };
    first += length;
    return extent;
  });
}

/** The number of the sentence of a token, from 0. */
export function sentenceOf(sentences: readonly Extent[], token: number): number {
  let low = 0;
  let high = sentences.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sentences[middle]?.last ?? 0) < token) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Groups mentions by sentence; a mention of two sentences makes them one. */
function unitsOf(extents: readonly Extent[], sentences: readonly Extent[]): number[][] {
  const units: number[][] = [];
  let end = -1;
  const order = extents.map((_, number) => number);
  order.sort((a, b) => (extents[a]?.first ?? 0) - (extents[b]?.first ?? 0));
  for (const number of order) {
    const { first, last } = extents[number] as Extent;
    if (sentenceOf(sentences, first) > end || !units.length) units.push([]);
    end = Math.max(end, sentenceOf(sentences, last));
    units.at(-1)?.push(number);
  }
  return units;
}

function comesFirst(extents: readonly Extent[], a: number, b: number): number {
  const one = extents[a] as Extent;
  const other = extents[b] as Extent;
  const longer = other.last - other.first - (one.last - one.first);
  return longer || one.first - other.first || a - b;
}

function lowestFree(taken: readonly Set<number>[], first: number, last: number) {
  for (let slot = 0; ; slot++) {
    const used = taken[slot];
    if (!used) return slot;
    let token = first;
    while (token <= last && !used.has(token)) token++;
    if (token > last) return slot;
  }
}

/** The sides that each column shows: the text once, or twice side by side. */
export function columnsOf(view: State["view"], systems: readonly number[]): number[][] {
  if (view !== "beside" || !systems.length) return [[KEY, ...systems]];
  if (systems.length === 1) return [[KEY], [...systems]];
  return systems.map((system) => [KEY, system]);
}

export function drawText(
  open: Document,
  data: Data,
  state: State,
  isShown: (mention: Mention) => boolean,
): [HTMLElement, Drawn] {
  const text = element("div", { class: "text" });
  const drawn: Drawn = { pieces: new Map(), tokens: new Map() };
  const sentences = sentenceExtents(open.sentences);
  const columns = columnsOf(state.view, state.systems).map((sides) =>
    sides.map((system) => layerOf(open, system, sentences, isShown)),
  );
  text.dataset.columns = `${columns.length}`;
  if (!open.hasWords) text.classList.add("wordless");
  const isRunning = state.view === "text";
  const rows = sentences.map((extent, number) =>
    drawRow(open, columns, number, extent, drawn, isRunning),
  );
  if (isRunning) {
    text.classList.add("running");
    text.append(
      ...paragraphsOf(open).map((numbers) =>
        drawParagraph(rows, numbers, (number) =>
          hasSpaceBefore(open, sentences[number]?.first ?? 0),
        ),
      ),
    );
    markErrors(open, state, drawn);
  } else text.append(...rows);
  labelMentions(open, data, state, columns.flat(), drawn);
  return [text, drawn];
}

function drawParagraph(
  rows: readonly HTMLElement[],
  sentences: readonly number[],
  isApart: (sentence: number) => boolean,
): HTMLElement {
  const paragraph = element("div", { class: "paragraph" });
  for (const number of sentences) {
    if (isApart(number)) paragraph.append(" ");
    paragraph.append(rows[number] as HTMLElement);
  }
  // Last: a browser would look for the direction again with each sentence.
  paragraph.dir = "auto";
  return paragraph;
}

const LONG_PARAGRAPH = 120; // tokens

/**
 * Groups sentences into paragraphs. If the data do not have them, a speaker, as in
 * `Ann :`, begins one, and a long paragraph ends with its sentence.
 */
export function paragraphsOf({
  sentences,
  paragraphs: known,
}: Pick<Document, "sentences" | "paragraphs">): number[][] {
  const starts = new Set(known);
  const paragraphs: number[][] = [];
  let size = LONG_PARAGRAPH;
  sentences.forEach((words, number) => {
    const isTurn = words.length > 2 && words.indexOf(":") === 1;
    const isGuess = isTurn || size >= LONG_PARAGRAPH;
    if (number === 0 || (starts.size ? starts.has(number) : isGuess)) {
      paragraphs.push([]);
      size = 0;
    }
    paragraphs.at(-1)?.push(number);
    size += words.length;
  });
  return paragraphs;
}

const CLOSING =
  /^(?:[,.;:!?%\u2026)\]}\u00bb\u201d\u2019\u3001\u3002\uff0c\uff01\uff1f\uff1a\uff1b]|[.]{2,}|-RRB-|'s|'re|'ve|'ll|'d|'m|n't|'')/iu;
const OPENING = /(?:^|\s)(?:[([{\u00ab\u201c\u2018$\u00a3#]|-LRB-|``)$/u;
const NO_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Whether the text has a space before a token; a guess if the data do not say. */
export function hasSpaceBefore(
  document: Document,
  token: number,
  before = "",
  after = "",
): boolean {
  if (document.joined) return !document.joined.has(token);
  return !(before && after) || hasSpace(before, after);
}

/** Guesses whether running text has a space between two tokens. */
export function hasSpace(before: string, after: string): boolean {
  if (CLOSING.test(after) || OPENING.test(before)) return false;
  return !(NO_SPACES.test(before.at(-1) ?? "") || NO_SPACES.test(after[0] ?? ""));
}

/** Marks the mentions that a system shown has wrong or lacks. */
function markErrors(open: Document, state: State, drawn: Drawn): void {
  for (const system of state.systems) {
    marksOf(open, system).forEach((mark, span) => {
      if (mark === null || mark === "right") return;
      for (const piece of drawn.pieces.get(nameOf(KEY, span)) ?? []) {
        piece.classList.add(mark);
      }
    });
  }
}

function drawRow(
  open: Document,
  columns: readonly (readonly Layer[])[],
  number: number,
  extent: Extent,
  drawn: Drawn,
  isRunning = false,
): HTMLElement {
  const row = element(
    "div",
    { class: "row", set: { role: "group", "aria-label": `sentence ${number + 1}` } },
    element("span", {
      class: "number",
      set: { "aria-hidden": "true", "data-number": number + 1 },
    }),
    ...columns.map((layers) =>
      drawSentence(open, layers, number, extent, drawn, isRunning),
    ),
  );
  // Columns have the same room, so that their lines stand side by side.
  const room = (side: string) =>
    Math.max(...columns.map((layers) => lanesOf(layers, side, number)));
  row.style.setProperty("--above", `${room("response")}`);
  row.style.setProperty("--below", `${room("key")}`);
  return row;
}

/** Makes the first piece of each mention something that keys and readers reach. */
function labelMentions(
  open: Document,
  data: Data,
  state: State,
  layers: readonly Layer[],
  drawn: Drawn,
): void {
  const given = {
    key: data.key,
    systems: data.systems,
    shown: state.systems,
    kinds: open.responses.map((response, system) =>
      kindsAt(state.systems.includes(system) ? response.errors : []),
    ),
  };
  for (const mention of layers.flatMap((layer) => layer.mentions)) {
    const { number } = mention.span;
    const words = wordsOf(open, number);
    const label = labelOf(open, mention, { ...given, words });
    for (const piece of drawn.pieces.get(nameOf(mention.system, number)) ?? []) {
      if (!piece.classList.contains("first")) continue;
      piece.setAttribute("role", "button");
      piece.setAttribute("aria-label", label);
      piece.setAttribute("aria-pressed", "false");
      piece.tabIndex = -1;
    }
  }
}

/** One mention, along one token. */
export interface Piece {
  readonly mention: Mention;
  readonly slot: number;
  /** The line of its slot, counted from the text over all layers of that direction. */
  readonly lane: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isGap: boolean;
}

/** The pieces of each token of a sentence, layer by layer. */
export function piecesOf(
  layers: readonly Layer[],
  sentence: number,
  { first, last }: Extent,
): Map<number, Piece[]> {
  const pieces = new Map<number, Piece[]>();
  let above = 0;
  for (const layer of layers) {
    const base = layer.side === "key" ? 0 : above;
    if (layer.side === "response") above += layer.depths[sentence] ?? 0;
    for (const at of layer.bySentence[sentence] ?? []) {
      const mention = layer.mentions[at] as Mention;
      const { span } = mention;
      const slot = layer.slots[at] ?? 0;
      const end = Math.min(last, span.last);
      for (let token = Math.max(first, span.first); token <= end; token++) {
        const piece: Piece = {
          mention,
          slot,
          lane: base + slot,
          isFirst: token === span.first,
          isLast: token === span.last,
          isGap: !span.parts.some(([from, to]) => from <= token && token <= to),
        };
        const known = pieces.get(token);
        if (known) known.push(piece);
        else pieces.set(token, [piece]);
      }
    }
  }
  return pieces;
}

/** How many lines of slots a sentence needs in one direction. */
export function lanesOf(layers: readonly Layer[], side: string, sentence: number) {
  return layers
    .filter((layer) => layer.side === side)
    .reduce((sum, layer) => sum + (layer.depths[sentence] ?? 0), 0);
}

/** What was drawn, for focus and errors to find. */
export interface Drawn {
  /** The pieces of each mention, by `nameOf`, in the order of the text. */
  readonly pieces: Map<string, HTMLElement[]>;
  /** The cells of each token: one, or one in each column. */
  readonly tokens: Map<number, HTMLElement[]>;
}

export function drawSentence(
  document: Document,
  layers: readonly Layer[],
  sentence: number,
  extent: Extent,
  drawn: Drawn,
  isRunning = false,
): HTMLElement {
  const pieces = piecesOf(layers, sentence, extent);
  const cell = element("div", { class: "sentence" });
  const responses = layers.filter((layer) => layer.side === "response");
  if (responses.length > 1 && !isRunning) {
    cell.classList.add("two");
    cell.style.setProperty("--near", `${responses[0]?.depths[sentence] ?? 0}`);
  }
  const words = document.sentences[sentence] ?? [];
  const direction = directionOf(words.join(" ")) || "ltr";
  words.forEach((word, at) => {
    const number = extent.first + at;
    const token = drawToken(word, number, document.empty.has(number));
    const own = directionOf(word);
    for (const piece of pieces.get(number) ?? []) {
      const name = nameOf(piece.mention.system, piece.mention.span.number);
      if (isRunning && piece.mention.side === "response" && piece.mention.keyEntity) {
        drawn.pieces.set(name, []); // running text shows the key's mention alone
        continue;
      }
      const made = drawPiece(piece);
      if (document.hasWords && isTiny(piece, word)) made.classList.add("tiny");
      if (responses.length > 1 && piece.mention.system === responses[1]?.system) {
        made.classList.add("far");
      }
      // A word that runs the other way begins at its other end.
      if (own && own !== direction) made.dir = own;
      token.append(made);
      add(drawn.pieces, name, made);
    }
    add(drawn.tokens, number, token);
    cell.append(token);
    if (!isRunning) cell.append(" ");
    else {
      const next = words[at + 1];
      const isLast = next === undefined;
      if (!isLast && hasSpaceBefore(document, number + 1, word, next)) cell.append(" ");
      const nesting = (pieces.get(number) ?? []).filter(isKeyPiece).length;
      if (nesting > 1) token.style.setProperty("--nesting", `${nesting - 1}`);
    }
  });
  // Last: a browser would look for the direction again with each word that is added.
  cell.dir = "auto";
  return cell;
}

function isKeyPiece(piece: Piece): boolean {
  return piece.mention.side === "key";
}

const LEFTWARD =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The direction of the first letter of a text that has one, as `dir=auto` finds it. */
export function directionOf(text: string): "ltr" | "rtl" | "" {
  const letter = /\p{L}/u.exec(text)?.[0];
  if (!letter) return "";
  return LEFTWARD.test(letter) ? "rtl" : "ltr";
}

const NARROW = /[\p{P}ijlrtfI1]/u;

/** Whether a mention is not as wide as its number, which then stands in its middle. */
export function isTiny(piece: Piece, word: string): boolean {
  if (!piece.isFirst || !piece.isLast) return false;
  let width = 0; // in tenths of the size of the text, about
  for (const letter of word) width += NARROW.test(letter) ? 3 : 6;
  return width < 5 + 4 * `${piece.mention.entity}`.length;
}

function drawToken(word: string, number: number, isEmpty: boolean): HTMLElement {
  const token = document.createElement("span");
  token.className = "token";
  token.setAttribute("data-token", `${number}`);
  if (!isEmpty) token.textContent = visible(word);
  else {
    // Raised inside its cell, so that lines along the cell stay where they are.
    const isSilent = word === "" || word === "_";
    const mark = element("span", { class: isSilent ? "raised silent" : "raised" });
    mark.textContent = visible(word);
    token.classList.add("empty");
    token.title = "empty node: it stands for what the sentence leaves out";
    token.append(mark);
  }
  return token;
}

function drawPiece(piece: Piece): HTMLElement {
  const { mention } = piece;
  const made = document.createElement("i");
  const names = ["piece", mention.side, colourOf(mention.keyEntity)];
  if (piece.isFirst) names.push("first");
  if (piece.isLast) names.push("last");
  if (piece.isGap) names.push("gap");
  if (mention.isSingleton) names.push("single");
  made.className = names.join(" ");
  // Attributes are set faster than through `dataset`, and there are thousands.
  made.setAttribute("data-span", `${mention.span.number}`);
  made.setAttribute("data-slot", `${piece.slot}`);
  made.setAttribute("data-side", mention.side);
  made.setAttribute("data-system", mention.system === KEY ? "" : `${mention.system}`);
  made.setAttribute("data-entity", `${mention.entity}`);
  if (piece.lane) made.style.setProperty("--lane", `${piece.lane}`);
  return made;
}

function add<Name>(
  map: Map<Name, HTMLElement[]>,
  name: Name,
  value: HTMLElement,
): void {
  const known = map.get(name);
  if (known) known.push(value);
  else map.set(name, [value]);
}

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

const UNSEEN =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u206f\ufeff]/gu;
const SHORT: Readonly<Record<string, string>> = {
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
};

export function visible(text: string): string {
  return text.replace(UNSEEN, (letter) => SHORT[letter] ?? writtenOut(letter));
}

function writtenOut(letter: string): string {
  const code = letter.charCodeAt(0).toString(16);
  return code.length > 2
    ? `\\u${code.padStart(4, "0")}`
    : `\\x${code.padStart(2, "0")}`;
}

const PAUSE = 60; // milliseconds before a pointer previews, so that passing by does not

export class DocumentView {
  readonly #home: HTMLElement;
  readonly #data: Data;
  readonly #store: Store;
  #document: Document | null = null;
  #text: HTMLElement = element("div");
  #drawn: Drawn = { pieces: new Map(), tokens: new Map() };
  #marks: (Mark | null)[][] = [];
  #cursor: Cursor = { text: this.#text, current: null };
  #preview: Focus | null = null;
  #soon = 0;
  #known: { readonly about: string; readonly alone: Alone } | null = null;
  /** Whether singletons are shown; null while nobody has said. */
  #singletons: boolean | null = null;

  constructor(home: HTMLElement, data: Data, store: Store) {
    this.#home = home;
    this.#data = data;
    this.#store = store;
    home.classList.add("document-view");
    store.listen((state, before) => this.#change(state, before));
    new ResizeObserver(() => this.#drawError()).observe(home);
    this.#draw();
    const { state } = store;
    const before = { ...state, mention: null, error: null, focus: null, by: null };
    this.#reveal(state, before);
  }

  #change(state: State, before: State): void {
    const isOther =
      state.document !== before.document ||
      state.view !== before.view ||
      state.systems.join() !== before.systems.join();
    if (state.document !== before.document) this.#singletons = null;
    if (isOther || this.#hasHidden()) this.#draw();
    else this.#light();
    this.#reveal(state, before);
  }

  #draw(): void {
    const { state } = this.#store;
    const at = this.#cursor.current;
    const hadFocus = at !== null && at === document.activeElement;
    this.#preview = null;
    this.#document =
      state.document === null ? null : this.#data.document(state.document);
    const open = this.#document;
    if (!open) {
      this.#home.replaceChildren();
      return;
    }
    [this.#text, this.#drawn] = drawText(open, this.#data, state, this.#isShown(open));
    this.#marks =
      open.responses.length > 1
        ? open.responses.map((_, system) => marksOf(open, system))
        : [];
    const columns = columnsOf(state.view, state.systems);
    this.#home.replaceChildren(
      this.#legend(open),
      ...drawHeads(this.#data, columns),
      this.#text,
    );
    this.#cursor = { text: this.#text, current: null };
    moveCursor(this.#cursor, at);
    this.#listen(this.#text);
    this.#light();
    if (hadFocus) this.#cursor.current?.focus();
  }

  #legend(open: Document): HTMLElement {
    return drawLegend(open, this.#data, this.#store.state, {
      count: this.#alone(open).names.size,
      areShown: this.#showsSingletons(open),
      toggle: (shown) => {
        this.#singletons = shown;
        this.#draw();
        this.#home.querySelector<HTMLElement>(".layer-legend input")?.focus();
      },
    });
  }

  #alone(open: Document): Alone {
    const { systems } = this.#store.state;
    const about = `${open.number}:${systems}`;
    if (this.#known?.about !== about) {
      this.#known = { about, alone: aloneIn(open, systems) };
    }
    return this.#known.alone;
  }

  #showsSingletons(open: Document): boolean {
    return this.#singletons ?? !this.#alone(open).areMany;
  }

  /** Singletons may be hidden, but not those that were asked for. */
  #isShown(open: Document): (mention: Mention) => boolean {
    if (this.#showsSingletons(open)) return () => true;
    const asked = askedFor(open, this.#store.state);
    const { names } = this.#alone(open);
    return ({ system, span }) => {
      const name = nameOf(system, span.number);
      return !names.has(name) || asked.has(name);
    };
  }

  #hasHidden(): boolean {
    const open = this.#document;
    if (!open || this.#showsSingletons(open)) return false;
    const asked = askedFor(open, this.#store.state);
    return [...asked].some((name) => !this.#drawn.pieces.has(name));
  }

  #light(): void {
    const open = this.#document;
    if (!open) return;
    const { state } = this.#store;
    const focus = this.#preview ?? state.focus ?? focusOfError(open, state);
    const scene = { open, text: this.#text, drawn: this.#drawn, state };
    light({ ...scene, marks: this.#marks }, focus);
    this.#drawError();
  }

  #drawError(): void {
    if (!this.#document) return;
    drawError(this.#text, this.#document, this.#store.state, this.#drawn);
  }

  #reveal(state: State, before: State): void {
    // Once the others have drawn this change too: the text may still be hidden.
    queueMicrotask(() => {
      const open = this.#document;
      if (!open || state.document !== open.number) return;
      const token = askedToken(open, state, before);
      if (token >= 0) revealToken(this.#drawn, token);
      else if (state.focus !== before.focus) revealFocus(open, state, this.#drawn);
    });
  }

  #listen(text: HTMLElement): void {
    const cursor = this.#cursor;
    text.addEventListener("pointerover", (event) => {
      const piece = pieceAt(event);
      clearTimeout(this.#soon);
      this.#soon = window.setTimeout(() => this.#show(piece), PAUSE);
    });
    text.addEventListener("pointerleave", () => {
      clearTimeout(this.#soon);
      this.#show(null);
    });
    text.addEventListener("focusin", (event) => {
      const piece = pieceAt(event);
      if (piece) moveCursor(cursor, piece);
      this.#show(piece);
    });
    text.addEventListener("focusout", () => this.#show(null));
    text.addEventListener("click", (event) => {
      const piece = pieceAt(event);
      if (piece) this.#pin(piece);
      else if (this.#store.state.focus && !getSelection()?.toString()) {
        this.#store.set({ focus: null });
      }
    });
    text.addEventListener("keydown", (event) => this.#key(event, cursor));
  }

  #key(event: KeyboardEvent, cursor: Cursor): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const piece = pieceAt(event);
    if (piece && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      this.#pin(piece);
    } else if (moveCursor(cursor, piece, event.key)) event.preventDefault();
  }

  #show(piece: HTMLElement | null): void {
    const next = piece ? focusOf(piece) : null;
    if (isSameFocus(next, this.#preview) || !this.#text.isConnected) return;
    this.#preview = next;
    this.#light();
  }

  #pin(piece: HTMLElement): void {
    const focus = focusOf(piece);
    const isPinned = isSameFocus(this.#store.state.focus, focus);
    if (isPinned) this.#preview = null;
    this.#store.set({ focus: isPinned ? null : focus, mention: null });
  }
}
