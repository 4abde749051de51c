/** The row of controls at the top of the reader. */

import { choices, group, press, setOptions, stepOptions } from "./controls";
import type { Data } from "./data";
import { button, element } from "./elements";
import { toggled } from "./filters";
import type { State, Store } from "./state";

const MOST_BUTTONS = 5; // systems; more are two lists of choices

export interface Actions {
  /** Opens the next or previous document. */
  goTo(direction: 1 | -1): void;
  order(): readonly number[];
  openHelp(): void;
}

export class Toolbar {
  readonly element: HTMLElement;
  readonly #data: Data;
  readonly #store: Store;
  readonly #actions: Actions;
  readonly #all: HTMLButtonElement;
  readonly #steps: readonly HTMLButtonElement[];
  readonly #select: HTMLSelectElement;
  readonly #drawSystems: (state: State) => void;
  readonly #views: readonly HTMLButtonElement[];
  readonly #view: HTMLElement;

  constructor(data: Data, store: Store, actions: Actions, search: HTMLElement) {
    this.#data = data;
    this.#store = store;
    this.#actions = actions;
    this.#all = button("All documents", () => showTable(store), {
      set: { title: "d" },
    });
    const { label, select } = choices("Document", (value) =>
      store.set({ document: value === "" ? null : Number(value), ...NOTHING }),
    );
    this.#select = select;
    this.#steps = [
      button("‹", () => actions.goTo(-1), stepOptions("Previous document", "k")),
      button("›", () => actions.goTo(1), stepOptions("Next document", "j")),
    ];
    const [previous, next] = this.#steps as [HTMLButtonElement, HTMLButtonElement];
    const documents = group("Document", "document-choice", [
      this.#all,
      previous,
      label,
      next,
    ]);
    documents.hidden = data.ids.length < 2;
    const systems = this.#makeSystems();
    this.#drawSystems = systems.draw;
    this.#views = (["overlay", "beside"] as const).map((view) =>
      button(VIEWS[view], () => store.set({ view }), { set: { title: "v" } }),
    );
    this.#view = group("View", "switch", this.#views);
    this.element = element(
      "div",
      { class: "toolbar", set: { role: "group", "aria-label": "Reader" } },
      documents,
      systems.element,
      this.#view,
      element("div", { class: "search" }, search),
      button("Keys", () => actions.openHelp(), { set: { title: "?" } }),
    );
    this.draw(store.state);
  }

  draw(state: State): void {
    const isOpen = state.document !== null;
    const order = this.#actions.order();
    const at = state.document === null ? -1 : order.indexOf(state.document);
    const [previous, next] = this.#steps;
    turnOff(this.#all, !isOpen);
    turnOff(previous, at <= 0 && isOpen);
    turnOff(next, at === order.length - 1);
    this.#drawDocuments(order, state.document);
    this.#drawSystems(state);
    this.#view.hidden = !this.#data.systems.length || !isOpen;
    this.#views.forEach((made, number) => {
      press(made, (number === 1) === (state.view === "beside"));
    });
  }

  #drawDocuments(order: readonly number[], open: number | null): void {
    const options = order.map(
      (number, at) =>
        [
          `${number}`,
          `${at + 1} of ${order.length}: ${this.#data.titles[number]}`,
        ] as const,
    );
    const none = [["", "Open a document"]] as const;
    setOptions(this.#select, [...none, ...options], open === null ? "" : `${open}`);
  }

  #makeSystems(): { element: HTMLElement; draw: (state: State) => void } {
    const { systems } = this.#data;
    const label = "Systems, two at most";
    if (systems.length > MOST_BUTTONS) return this.#systemChoices(label);
    const buttons = systems.map((name, system) =>
      button(name, () => this.#toggle(system), {
        class: "system",
        set: { title: `${system + 1}` },
      }),
    );
    const element = group(label, "switch systems", buttons);
    element.hidden = systems.length < 2;
    const draw = (state: State): void => {
      buttons.forEach((made, system) => {
        press(made, state.systems.includes(system));
      });
    };
    return { element, draw };
  }

  #toggle(system: number): void {
    toggleSystem(this.#store, system);
  }

  #systemChoices(label: string): {
    element: HTMLElement;
    draw: (state: State) => void;
  } {
    const { systems } = this.#data;
    const set = (at: 0 | 1, value: string): void => {
      const shown = [...this.#store.state.systems];
      const other = shown[1 - at];
      const chosen = value === "" ? [] : [Number(value)];
      const rest = other === undefined || chosen.includes(other) ? [] : [other];
      const now = at === 0 ? [...chosen, ...rest] : [...rest, ...chosen];
      showSystems(this.#store, now);
    };
    const first = choices("System", (value) => set(0, value));
    const second = choices("and", (value) => set(1, value));
    const options = systems.map((name, system) => [`${system}`, name] as const);
    const draw = ({ systems: shown }: State): void => {
      setOptions(first.select, options, `${shown[0] ?? 0}`);
      setOptions(second.select, [["", "none"], ...options], `${shown[1] ?? ""}`);
    };
    return { element: group(label, "systems", [first.label, second.label]), draw };
  }
}

/** Says that a button does nothing now. It keeps the focus, which `disabled` loses. */
function turnOff(made: HTMLElement | undefined, isOff: boolean): void {
  if (isOff) made?.setAttribute("aria-disabled", "true");
  else made?.removeAttribute("aria-disabled");
}

/** Switches a system on or off. */
export function toggleSystem(store: Store, system: number): void {
  showSystems(store, toggled(store.state.systems, system));
}

/** Shows other systems; an error or entity of one that was first is let go. */
function showSystems(store: Store, systems: readonly number[]): void {
  const { state } = store;
  const isSame = systems[0] === state.systems[0];
  const focus =
    state.focus?.side === "response" && !systems.includes(state.focus.system)
      ? null
      : state.focus;
  store.set({ systems, focus, error: isSame ? state.error : null });
}

/** Closes the document; the table of documents is shown. */
export function showTable(store: Store): void {
  store.set({ document: null, ...NOTHING });
}

/** What is let go when another document is opened. */
export const NOTHING = { error: null, focus: null, mention: null } as const;

const VIEWS = { overlay: "One text", beside: "Two columns" } as const;
