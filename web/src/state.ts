/**
 * What the page shows now. There is one state; views draw it and ask for changes. What
 * a reader would send to a colleague stands in the fragment of the address, so that
 * links and the back button work:
 *
 *     #d=ID&s=2&e=divided%233-5    document, systems (numbers from 1), error
 *     #d=ID&k=3                    an entity of the key in focus
 *     #d=ID&s=2&r=7                an entity of the (first) system shown in focus
 *     #d=ID&m=3-5                  a mention, by first and last token
 *
 * Other fragments, such as #scores, are places of the page.
 */

/** An entity in focus. */
export interface Focus {
  readonly side: "key" | "response";
  /** The number of the system; 0 for the key. */
  readonly system: number;
  readonly entity: number;
}

export interface State {
  /** The number of the open document; null for the summary alone. */
  readonly document: number | null;
  /** The numbers of the systems shown, two at most, from 0. */
  readonly systems: readonly number[];
  /** Layers on one text, or two columns. */
  readonly view: "overlay" | "beside";
  /** The entity that a click pinned. */
  readonly focus: Focus | null;
  /** The id of the error shown, without the document; of the first of `systems`. */
  readonly error: string | null;
  /** The mention that was asked for, as first and last token. */
  readonly mention: string | null;
}

/** The state of a page whose address says nothing. */
export const START: State = {
  document: null,
  systems: [0],
  view: "overlay",
  focus: null,
  error: null,
  mention: null,
};

/** Writes the part of the state that a link keeps; empty for the summary. */
export function fragmentOf(state: State, ids: readonly string[]): string {
  if (state.document === null) return "";
  const parts = new URLSearchParams();
  parts.set("d", ids[state.document] ?? "");
  if (state.systems.join() !== "0" && state.systems.length) {
    parts.set("s", state.systems.map((system) => system + 1).join());
  }
  if (state.view !== "overlay") parts.set("v", state.view);
  if (state.error !== null) parts.set("e", state.error);
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
): State | null {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  const id = parts.get("d");
  if (id === null) {
    const isEmpty = fragment.replace(/^#/, "") === "";
    // A page of one document needs no table of documents.
    const document = ids.length === 1 ? 0 : null;
    return isEmpty ? { ...START, document, systems: systemCount ? [0] : [] } : null;
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
    view: parts.get("v") === "beside" ? "beside" : "overlay",
    focus,
    error: parts.get("e"),
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
