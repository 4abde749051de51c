/** The open document: its text with the layers of its sides, one row a sentence. */

import { type Cursor, moveCursor } from "./cursor";
import type { Data, Document } from "./data";
import { element } from "./elements";
import { litBy } from "./focusing";
import { KEY, type Layer, layerOf, type Mention, nameOf } from "./layers";
import { drawHeads, drawLegend } from "./legend";
import { drawError, errorOf, focusOfError } from "./marks";
import { focusOf, pieceAt } from "./pointing";
import { type Drawn, drawSentence, lanesOf } from "./sentence";
import { askedFor, hasMany } from "./showing";
import { type Extent, sentenceExtents } from "./slots";
import type { Focus, State, Store } from "./state";
import { kindsAt, labelOf, wordsOf } from "./words";

/** The sides that each column shows: the text once, or twice side by side. */
export function columnsOf(view: State["view"], systems: readonly number[]): number[][] {
  if (view === "overlay" || !systems.length) return [[KEY, ...systems]];
  if (systems.length === 1) return [[KEY], [...systems]];
  return systems.map((system) => [KEY, system]);
}

export class DocumentView {
  readonly #home: HTMLElement;
  readonly #data: Data;
  readonly #store: Store;
  #document: Document | null = null;
  #sentences: Extent[] = [];
  #drawn: Drawn = { pieces: new Map(), tokens: new Map() };
  #text: HTMLElement = element("div");
  #lit: HTMLElement[] = [];
  #preview: Focus | null = null;
  #singletons: boolean | null = null;

  constructor(home: HTMLElement, data: Data, store: Store) {
    this.#home = home;
    this.#data = data;
    this.#store = store;
    home.classList.add("document-view");
    store.listen((state, before) => this.#change(state, before));
    new ResizeObserver(() => this.#drawError()).observe(home);
    this.#draw();
  }

  #change(state: State, before: State): void {
    const isOther = (["document", "systems", "view"] as const).some(
      (field) => `${state[field]}` !== `${before[field]}`,
    );
    if (state.document !== before.document) this.#singletons = null;
    if (isOther || this.#hasHidden()) this.#draw();
    else this.#light();
    this.#reveal(state, before);
  }

  #draw(): void {
    const { document: number, systems, view } = this.#store.state;
    this.#preview = null;
    if (number === null) {
      this.#document = null;
      this.#home.replaceChildren();
      return;
    }
    const open = this.#data.document(number);
    this.#document = open;
    this.#sentences = sentenceExtents(open.sentences);
    this.#drawn = { pieces: new Map(), tokens: new Map() };
    this.#text = this.#drawText(open, columnsOf(view, systems));
    const legend = drawLegend(open, this.#data, this.#store.state, {
      showsSingletons: this.#showsSingletons(open),
      toggle: (shown) => {
        this.#singletons = shown;
        this.#draw();
      },
    });
    const heads = drawHeads(this.#data, columnsOf(view, systems));
    this.#home.replaceChildren(legend, ...heads, this.#text);
    this.#listen(this.#text);
    this.#light();
  }

  #drawText(open: Document, columns: readonly (readonly number[])[]): HTMLElement {
    const text = element("div", { class: "text" });
    text.dataset.columns = `${columns.length}`;
    if (!open.hasWords) text.classList.add("wordless");
    const isShown = this.#shownMentions(open);
    const layers = columns.map((sides) =>
      sides.map((system) => layerOf(open, system, this.#sentences, isShown)),
    );
    text.append(
      ...this.#sentences.map((_, number) => this.#drawRow(open, layers, number)),
    );
    this.#label(open, layers.flat());
    return text;
  }

  #drawRow(
    open: Document,
    columns: readonly (readonly Layer[])[],
    number: number,
  ): HTMLElement {
    const extent = this.#sentences[number] as Extent;
    const cells = columns.map((layers) =>
      drawSentence(open, layers, number, extent, this.#drawn),
    );
    const row = element(
      "div",
      { class: "row", set: { role: "group", "aria-label": `sentence ${number + 1}` } },
      element("span", {
        class: "number",
        set: { "aria-hidden": "true", "data-number": number + 1 },
      }),
      ...cells,
    );
    // Columns have the same room, so that their lines stand side by side.
    const room = (side: string) =>
      Math.max(...columns.map((layers) => lanesOf(layers, side, number)));
    row.style.setProperty("--above", `${room("response")}`);
    row.style.setProperty("--below", `${room("key")}`);
    return row;
  }

  /** Makes the first piece of each mention something that keys and readers reach. */
  #label(open: Document, layers: readonly Layer[]): void {
    const tokens = open.sentences.flat();
    const given = {
      key: this.#data.key,
      systems: this.#data.systems,
      shown: this.#store.state.systems,
      kinds: open.responses.map((response) => kindsAt(response.errors)),
    };
    for (const mention of layers.flatMap((layer) => layer.mentions)) {
      const { number } = mention.span;
      const words = wordsOf(open, tokens, number);
      const label = labelOf(open, mention, { ...given, words });
      for (const piece of this.#pieces(mention.system, number)) {
        if (!piece.classList.contains("first")) continue;
        piece.setAttribute("role", "button");
        piece.setAttribute("aria-label", label);
        piece.setAttribute("aria-pressed", "false");
        piece.tabIndex = -1;
      }
    }
  }

  #pieces(system: number, span: number): HTMLElement[] {
    return this.#drawn.pieces.get(nameOf(system, span)) ?? [];
  }

  #showsSingletons(open: Document): boolean {
    return this.#singletons ?? !hasMany(open, this.#store.state.systems);
  }

  /** Singletons may be hidden, but not those that were asked for. */
  #shownMentions(open: Document): (mention: Mention) => boolean {
    if (this.#showsSingletons(open)) return () => true;
    const wanted = askedFor(open, this.#store.state);
    return ({ isSingleton, system, span }) =>
      !isSingleton || wanted.has(nameOf(system, span.number));
  }

  #hasHidden(): boolean {
    const open = this.#document;
    if (!open || this.#showsSingletons(open)) return false;
    const asked = askedFor(open, this.#store.state);
    return [...asked].some((name) => !this.#drawn.pieces.has(name));
  }

  #focus(): Focus | null {
    const { state } = this.#store;
    const open = this.#document;
    return this.#preview ?? state.focus ?? (open && focusOfError(open, state));
  }

  /** Marks what is in focus; the rest stands back. */
  #light(): void {
    const open = this.#document;
    for (const piece of this.#lit)
      piece.classList.remove("strong", "related", "pinned");
    this.#lit = [];
    const focus = this.#focus();
    this.#text.classList.toggle("focused", focus !== null);
    if (open && focus) {
      const { strong, related } = litBy(open, this.#store.state.systems, focus);
      this.#mark(related, "related");
      this.#mark(strong, "strong");
    }
    const { state } = this.#store;
    for (const piece of this.#text.querySelectorAll('[aria-pressed="true"]')) {
      piece.setAttribute("aria-pressed", "false");
    }
    if (state.focus) this.#press(state.focus);
    this.#drawError();
  }

  #press(focus: Focus): void {
    const system = focus.side === "key" ? "" : `${focus.system}`;
    const about = `[data-entity="${focus.entity}"][data-system="${system}"]`;
    for (const piece of this.#text.querySelectorAll(`.piece.first${about}`)) {
      piece.setAttribute("aria-pressed", "true");
    }
  }

  #mark(names: ReadonlySet<string>, mark: string): void {
    for (const name of names) {
      for (const piece of this.#drawn.pieces.get(name) ?? []) {
        piece.classList.add(mark);
        this.#lit.push(piece);
      }
    }
  }

  #drawError(): void {
    if (!this.#document) return;
    drawError(this.#text, this.#document, this.#store.state, this.#drawn);
  }

  /** Scrolls to what was asked for: a mention, the error, or the entity in focus. */
  #reveal(state: State, before: State): void {
    const open = this.#document;
    if (!open) return;
    const error = errorOf(open, state);
    const isSame = (field: keyof State) => `${state[field]}` === `${before[field]}`;
    let token: number | undefined;
    if (state.mention && (!isSame("mention") || state.error === before.error)) {
      token = Number(state.mention.split("-")[0]);
    } else if (error && (!isSame("error") || !isSame("document"))) {
      token = open.spans[error.spans[0] ?? -1]?.first;
    }
    const [cell] = this.#drawn.tokens.get(token ?? -1) ?? [];
    if (!cell) return;
    cell.scrollIntoView({ block: "center", inline: "nearest" });
    cell.classList.remove("asked");
    void cell.offsetWidth; // the mark begins again
    cell.classList.add("asked");
  }

  #listen(text: HTMLElement): void {
    const cursor: Cursor = { text, current: null };
    moveCursor(cursor, null);
    text.addEventListener("pointerover", (event) => this.#show(pieceAt(event)));
    text.addEventListener("pointerleave", () => this.#show(null));
    text.addEventListener("focusin", (event) => {
      const piece = pieceAt(event);
      if (piece) moveCursor(cursor, piece);
      this.#show(piece);
    });
    text.addEventListener("focusout", () => this.#show(null));
    text.addEventListener("click", (event) => {
      const piece = pieceAt(event);
      if (piece) this.#pin(piece);
      else if (!getSelection()?.toString()) this.#store.set({ focus: null });
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
    if (JSON.stringify(next) === JSON.stringify(this.#preview)) return;
    this.#preview = next;
    this.#light();
  }

  #pin(piece: HTMLElement): void {
    const focus = focusOf(piece);
    const isPinned = JSON.stringify(this.#store.state.focus) === JSON.stringify(focus);
    this.#store.set({ focus: isPinned ? null : focus, mention: null });
  }
}
