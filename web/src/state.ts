/**
 * What the page shows now. There is one state; views draw it and ask for changes. What
 * a reader would send to a colleague stands in the fragment of the address, so that
 * links and the back button work:
 *
 *     #d=ID&s=2&e=divided%233-5    document, systems (numbers from 1), error
 *     #d=ID&s=1,2&e=...&by=2       an error of the second system shown
 *     #d=ID&v=overlay              a view other than that of the text
 *     #d=ID&k=3                    an entity of the key in focus
 *     #d=ID&s=2&r=7                an entity of the (first) system shown in focus
 *     #d=ID&m=3-5                  a mention, by first and last token
 *
 * Other fragments, such as #scores, are places of the page.
 */

import type { Data } from "./data";

/** Says whether another error is shown: ids are those of a document and system. */
export function isOtherError(state: State, before: State): boolean {
  return (
    state.error !== null &&
    (state.error !== before.error ||
      state.document !== before.document ||
      systemOfError(state) !== systemOfError(before))
  );
}

/** Says whether the back button leads to the state before a change. */
export function isStep(state: State, before: State): boolean {
  return (
    state.document !== before.document ||
    state.error !== before.error ||
    isOtherError(state, before) ||
    state.mention !== before.mention ||
    state.focus?.side !== before.focus?.side ||
    state.focus?.system !== before.focus?.system ||
    state.focus?.entity !== before.focus?.entity
  );
}

export class Address {
  readonly #store: Store;
  readonly #data: Data;
  readonly #followed: () => void;
  readonly #refused: (id: string) => void;
  #isReading = false;

  /** Whether the change that is told now comes from the address. */
  get isReading(): boolean {
    return this.#isReading;
  }

  /**
   * Calls `followed` after a link into the reader, and `refused` with the id of a
   * document that a link names and the page lacks.
   */
  constructor(
    store: Store,
    data: Data,
    followed: () => void,
    refused: (id: string) => void,
  ) {
    this.#followed = followed;
    this.#store = store;
    this.#data = data;
    store.listen((state, before) => this.#write(state, before));
    this.#refused = refused;
    window.addEventListener("popstate", () => this.read());
    window.addEventListener("hashchange", () => this.read());
    document.addEventListener("click", (event) => this.#follow(event));
  }

  /** Takes the state from the address. */
  read(): void {
    const missing = this.#read(location.hash);
    if (missing !== null) this.#refused(missing);
  }

  #write(state: State, before: State): void {
    if (this.#isReading) return;
    const fragment = `#${fragmentOf(state, this.#data.ids)}`;
    if (fragment === location.hash || (fragment === "#" && !location.hash)) return;
    try {
      if (isStep(state, before)) history.pushState(null, "", fragment);
      else history.replaceState(null, "", fragment);
    } catch {
      // A page inside another one, such as a notebook's, may have no address.
    }
  }

  /** Takes the state from a fragment; returns the id of a document that is not there. */
  #read(fragment: string): string | null {
    const { ids, systems, hasErrors, startView } = this.#data;
    const found = stateOf(fragment, ids, systems.length, startView);
    if (!found) return namedDocument(fragment);
    // Where no error leads into a text, the page opens one itself.
    const isFirst = !hasErrors && ids.length > 0 && !fragment.replace(/^#/, "");
    const given = isFirst ? { ...found, document: 0 } : found;
    const now = this.#store.state;
    if (fragmentOf(given, ids) === fragmentOf(now, ids)) return null;
    this.#quietly(kept(given, now));
    return null;
  }

  /** Goes where a link leads, though the same may be shown already, out of sight. */
  #goTo(given: State): void {
    const { ids } = this.#data;
    const now = this.#store.state;
    if (fragmentOf(given, ids) === fragmentOf(now, ids)) {
      this.#quietly({ error: null, focus: null, mention: null });
    }
    this.#store.set(kept(given, this.#store.state));
    this.#followed();
  }

  /** Changes the state, and not the address. */
  #quietly(change: Partial<State>): void {
    this.#isReading = true;
    try {
      this.#store.set(change);
    } finally {
      this.#isReading = false;
    }
  }

  /** Follows a link into the reader, also where the page has no address of its own. */
  #follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const target = event.target as Element | null;
    const link = target?.closest<HTMLAnchorElement | SVGAElement>("a");
    const fragment = link?.getAttribute("href") ?? "";
    if (!fragment.startsWith("#")) return;
    const id = namedDocument(fragment);
    const { ids, systems, startView } = this.#data;
    const given =
      id === null ? null : stateOf(fragment, ids, systems.length, startView);
    if (given) {
      event.preventDefault();
      this.#goTo(given);
    } else if (id !== null) {
      event.preventDefault();
      this.#refused(id);
    } else if (location.protocol === "about:") {
      event.preventDefault();
      document.getElementById(fragment.slice(1))?.scrollIntoView();
    }
  }
}

/** Keeps what a link does not say: how things are shown. */
function kept(given: State, now: State): State {
  if (given.document !== null) return given;
  return { ...given, systems: now.systems, view: now.view };
}

/** Reads the id of the document that a fragment names; null if it names none. */
function namedDocument(fragment: string): string | null {
  return new URLSearchParams(fragment.replace(/^#/, "")).get("d");
}

/** An entity in focus. */
export interface Focus {
  readonly side: "key" | "response";
  /** The number of the system; 0 for the key. */
  readonly system: number;
  readonly entity: number;
}

/** Highlights in running text, brackets of all sides on one text, or two columns. */
export type View = "text" | "overlay" | "beside";

export interface State {
  /** The number of the open document; null for the summary alone. */
  readonly document: number | null;
  /** The numbers of the systems shown, two at most, from 0. */
  readonly systems: readonly number[];
  readonly view: View;
  /** The entity that a click pinned. */
  readonly focus: Focus | null;
  /** The id of the error shown, without the document. */
  readonly error: string | null;
  /** The system that makes the error; null for the first of `systems`. */
  readonly by: number | null;
  /** The mention that was asked for, as first and last token. */
  readonly mention: string | null;
}

export const VIEWS = ["text", "overlay", "beside"] as const;

/** The state of a page whose address says nothing. */
export const START: State = {
  document: null,
  systems: [0],
  view: "text",
  focus: null,
  error: null,
  by: null,
  mention: null,
};

/** The system that makes the error shown. */
export function systemOfError(state: State): number {
  return state.by ?? state.systems[0] ?? 0;
}

/** Writes the part of the state that a link keeps; empty for the summary. */
export function fragmentOf(state: State, ids: readonly string[]): string {
  if (state.document === null) return "";
  const parts = new URLSearchParams();
  parts.set("d", ids[state.document] ?? "");
  if (state.systems.join() !== "0" && state.systems.length) {
    parts.set("s", state.systems.map((system) => system + 1).join());
  }
  if (state.view !== "text") parts.set("v", state.view);
  if (state.error !== null) parts.set("e", state.error);
  const by = systemOfError(state);
  if (state.error !== null && by !== (state.systems[0] ?? 0)) {
    parts.set("by", `${by + 1}`);
  }
  if (state.mention !== null) parts.set("m", state.mention);
  if (state.focus) {
    parts.set(state.focus.side === "key" ? "k" : "r", `${state.focus.entity}`);
  }
  return parts.toString();
}

/** Reads a fragment; null where it is a place of the page and no state. */
export function stateOf(
  fragment: string,
  ids: readonly string[],
  systemCount: number,
  view: View = "text",
): State | null {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  const id = parts.get("d");
  if (id === null) {
    const isEmpty = fragment.replace(/^#/, "") === "";
    // A page of one document needs no table of documents.
    const document = ids.length === 1 ? 0 : null;
    const systems = systemCount ? [0] : [];
    return isEmpty ? { ...START, document, systems, view } : null;
  }
  const document = ids.indexOf(id);
  if (document < 0) return null;
  const asked = (parts.get("s") ?? "1").split(",").map((word) => Number(word) - 1);
  const systems = [...new Set(asked)]
    .filter((system) => Number.isInteger(system) && system >= 0)
    .filter((system) => system < systemCount)
    .slice(0, 2);
  const shown = systems.length ? systems : systemCount ? [0] : [];
  const entity = (name: string): number => {
    const number = Number(parts.get(name));
    return Number.isInteger(number) && number > 0 ? number : 0;
  };
  const system = shown[0] ?? 0;
  let focus: Focus | null = null;
  if (entity("k")) focus = { side: "key", system: 0, entity: entity("k") };
  else if (entity("r")) focus = { side: "response", system, entity: entity("r") };
  return {
    document,
    systems: shown,
    view: VIEWS.find((name) => name === parts.get("v")) ?? view,
    focus,
    error: parts.get("e"),
    by: shown.find((system) => parts.get("by") === `${system + 1}`) ?? null,
    mention: parts.get("m"),
  };
}

export type Listener = (state: State, before: State) => void;

/** Keeps the state, and tells all views about each change. */
export class Store {
  #state: State;
  readonly #listeners: Listener[] = [];

  constructor(state: State = START) {
    this.#state = state;
  }

  get state(): State {
    return this.#state;
  }

  /** Changes some of the state. */
  set(change: Partial<State>): void {
    const before = this.#state;
    this.#state = { ...before, ...change };
    for (const listener of this.#listeners) listener(this.#state, before);
  }

  listen(listener: Listener): void {
    this.#listeners.push(listener);
  }
}
