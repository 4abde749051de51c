/** The open document: its text with the layers of its sides, and what is in focus. */

import { type Mark, marksOf } from "./agreement";
import { type Cursor, moveCursor } from "./cursor";
import type { Data, Document } from "./data";
import { columnsOf, drawText } from "./drawing";
import { element } from "./elements";
import { type Mention, nameOf } from "./layers";
import { drawHeads, drawLegend } from "./legend";
import { light } from "./lighting";
import { drawError, focusOfError } from "./marks";
import { focusOf, isSameFocus, pieceAt } from "./pointing";
import { askedToken, revealFocus, revealToken } from "./revealing";
import type { Drawn } from "./sentence";
import { type Alone, aloneIn, askedFor } from "./showing";
import type { Focus, State, Store } from "./state";

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
    const before = { ...state, mention: null, error: null, focus: null };
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
