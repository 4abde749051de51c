/** Keeps the fragment of the address and the state alike; the back button works. */

import type { Data } from "./data";
import { fragmentOf, type State, type Store, stateOf } from "./state";

/** Says whether another error is shown: ids are those of a document and system. */
export function isOtherError(state: State, before: State): boolean {
  return (
    state.error !== null &&
    (state.error !== before.error ||
      state.document !== before.document ||
      state.systems[0] !== before.systems[0])
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
    const { ids, systems, hasErrors } = this.#data;
    const found = stateOf(fragment, ids, systems.length);
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
    const { ids, systems } = this.#data;
    const given = id === null ? null : stateOf(fragment, ids, systems.length);
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
