/** The reader: one document at a time, with its layers, panel and errors. */

import type { Data } from "./data";
import { DocumentTable } from "./document_table";
import { DocumentView, visible } from "./document_view";
import { button, element, type Options } from "./elements";
import { ErrorList, toggled } from "./error_list";
import { counted, shortenNames } from "./error_text";
import { FocusPanel } from "./focus_panel";
import { SearchView } from "./search";
import { Address, type State, type Store, systemOfError, VIEWS } from "./state";

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["n, p", "next and previous error, through all documents"],
  ["j, k", "next and previous document"],
  ["d", "table of documents"],
  ["/", "search in all documents"],
  ["1 to 9", "show or hide a system, two at most"],
  ["v", "running text, brackets and numbers, or two columns"],
  ["Tab, arrow keys", "go through mentions, errors, documents and results"],
  ["Enter", "open a document or an error, or keep an entity in focus"],
  ["Escape", "let go of the entity or error, close search and help"],
  ["?", "this help"],
];

/** A window over the page, which Escape closes. */
export class Help {
  readonly element: HTMLDialogElement;
  readonly #areOn: HTMLInputElement;

  constructor(data: Data) {
    const left = new Set([
      ...(data.hasErrors ? [] : ["n, p"]),
      ...(data.systems.length > 1 ? [] : ["1 to 9"]),
      ...(data.ids.length > 1 ? [] : ["j, k", "d"]),
    ]);
    const rows = KEYS.filter(([keys]) => !left.has(keys)).map(([keys, does]) =>
      element(
        "tr",
        {},
        element("th", { set: { scope: "row" } }, ...keyNames(keys)),
        element("td", {}, does),
      ),
    );
    this.#areOn = element("input", { set: { type: "checkbox", checked: "" } });
    this.element = element(
      "dialog",
      { class: "reader-help", set: { "aria-label": "Keys" } },
      element(
        "table",
        {},
        element("caption", {}, "Keys"),
        element("tbody", {}, ...rows),
      ),
      element("label", {}, this.#areOn, " Letters and digits do this"),
      button("Close", () => this.element.close()),
    );
  }

  /** Whether keys without Control and the like do something: people can turn it off. */
  get keysAreOn(): boolean {
    return this.#areOn.checked;
  }

  open(): void {
    if (!this.element.open) this.element.showModal();
  }
}

function keyNames(keys: string): (Node | string)[] {
  return keys
    .split(", ")
    .flatMap((name, at) => [...(at ? [" "] : []), element("kbd", {}, name)]);
}

export type Action =
  | { readonly do: "error" | "document"; readonly direction: 1 | -1 }
  | { readonly do: "table" | "search" | "help" | "view" | "leave" }
  | { readonly do: "system"; readonly system: number };

const ACTIONS: Readonly<Record<string, Action>> = {
  n: { do: "error", direction: 1 },
  p: { do: "error", direction: -1 },
  j: { do: "document", direction: 1 },
  k: { do: "document", direction: -1 },
  d: { do: "table" },
  "/": { do: "search" },
  "?": { do: "help" },
  v: { do: "view" },
  Escape: { do: "leave" },
};

/** Says what a key does; null if nothing. */
export function actionOf(key: string): Action | null {
  if (/^[1-9]$/.test(key)) return { do: "system", system: Number(key) - 1 };
  return Object.hasOwn(ACTIONS, key) ? (ACTIONS[key] ?? null) : null;
}

/** Listens to keys. `areOn` says whether letters do something now. */
export function listenToKeys(
  act: (action: Action) => void,
  areOn: () => boolean,
): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const action = actionOf(event.key);
    if (!action) return;
    if (action.do !== "leave") {
      if (!areOn() || writes(event.target)) return;
      event.preventDefault();
    }
    act(action);
  });
}

/** Says whether letters go into what has the focus. */
function writes(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest("dialog")) return true;
  if (target instanceof HTMLInputElement) {
    return !["checkbox", "radio", "button"].includes(target.type);
  }
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}

/** Makes a list of choices, each a value and what it says. */
export function choices(
  label: string,
  act: (value: string) => void,
): { label: HTMLLabelElement; select: HTMLSelectElement } {
  const select = element("select", { set: { "aria-label": label } });
  select.addEventListener("change", () => act(select.value));
  return { label: element("label", {}, element("span", {}, label), select), select };
}

/** Puts options into a list of choices, and keeps one of them chosen. */
export function setOptions(
  select: HTMLSelectElement,
  options: readonly (readonly [value: string, text: string])[],
  chosen: string,
): void {
  const same = select.options.length === options.length;
  options.forEach(([value, text], at) => {
    const there = same ? select.options[at] : undefined;
    if (there) {
      if (there.value !== value) there.value = value;
      if (there.text !== text) there.text = text;
    }
  });
  if (!same) {
    select.replaceChildren(
      ...options.map(([value, text]) => element("option", { set: { value } }, text)),
    );
  }
  select.value = chosen;
}

export function press(made: HTMLButtonElement, isPressed: boolean): void {
  made.setAttribute("aria-pressed", `${isPressed}`);
}

export function group(
  label: string,
  kind: string,
  children: readonly HTMLElement[],
): HTMLElement {
  return element(
    "div",
    { class: kind, set: { role: "group", "aria-label": label } },
    ...children,
  );
}

/** What a button with an arrow is called, and the key that does the same. */
export function stepOptions(label: string, key: string): Options {
  return { class: "step", set: { "aria-label": label, title: `${label} (${key})` } };
}

/** Makes what rows scroll in. */
export function scrollerOf(label: string, content: HTMLElement): HTMLElement {
  const set = { tabindex: 0, role: "region", "aria-label": label };
  return element("div", { class: "scroller", set }, content);
}

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
    this.#views = VIEWS.map((view) =>
      button(VIEW_NAMES[view], () => store.set({ view }), { set: { title: "v" } }),
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
    this.#view.hidden = !isOpen;
    this.#views.forEach((made, number) => {
      press(made, VIEWS[number] === state.view);
      if (VIEWS[number] === "beside") made.hidden = !this.#data.systems.length;
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
    const labels = shortenNames(systems);
    const buttons = systems.map((name, system) =>
      button(labels[system] ?? name, () => this.#toggle(system), {
        class: "system",
        set: { title: `${name} (${system + 1})` },
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

/** Shows other systems; an error or entity of one that is hidden is let go. */
function showSystems(store: Store, systems: readonly number[]): void {
  const { state } = store;
  const by = systemOfError(state);
  const isShown = systems.includes(by);
  const focus =
    state.focus?.side === "response" && !systems.includes(state.focus.system)
      ? null
      : state.focus;
  store.set({ systems, focus, error: isShown ? state.error : null, by });
}

/** Closes the document; the table of documents is shown. */
export function showTable(store: Store): void {
  store.set({ document: null, ...NOTHING });
}

/** What is let go when another document is opened. */
export const NOTHING = { error: null, focus: null, mention: null } as const;

const VIEW_NAMES = { text: "Text", overlay: "Detail", beside: "Two columns" } as const;

export function mountReader(home: HTMLElement, data: Data, store: Store): void {
  new ReaderApp(home, data, store);
}

class ReaderApp {
  readonly #home: HTMLElement;
  readonly #data: Data;
  readonly #store: Store;
  readonly #status = element("p", { class: "unseen", set: { role: "status" } });
  readonly #title = element("h3", {
    class: "title",
    set: { tabindex: -1, dir: "auto" },
  });
  readonly #about = element("p", { class: "note" });
  readonly #text = element("div", { class: "text-home" });
  readonly #panel = element("div", { class: "panel-home" });
  readonly #help: Help;
  readonly #table: DocumentTable;
  readonly #search: SearchView;
  readonly #errors: ErrorList | null;
  readonly #toolbar: Toolbar;
  readonly #address: Address;
  #hasStarted = false;

  constructor(home: HTMLElement, data: Data, store: Store) {
    this.#home = home;
    this.#data = data;
    this.#store = store;
    const say = (text: string): void => this.#say(text);
    this.#help = new Help(data);
    this.#search = new SearchView(data, store, say);
    this.#table = new DocumentTable(data, store, () => this.#reordered());
    const order = (): readonly number[] => this.#table.order;
    this.#errors = data.hasErrors ? new ErrorList(data, store, order, say) : null;
    const goTo = (direction: 1 | -1): void => this.#goTo(direction);
    const openHelp = (): void => this.#help.open();
    const actions = { goTo, order, openHelp };
    this.#toolbar = new Toolbar(data, store, actions, this.#search.box);
    this.#compose();
    // What is hidden cannot be scrolled to: the text is shown before it is drawn.
    store.listen((state) => this.#show(state));
    new DocumentView(this.#text, data, store);
    new FocusPanel(this.#panel, data, store);
    store.listen((state, before) => this.#changed(state, before));
    this.#address = new Address(
      store,
      data,
      () => this.#followed(),
      (id) => this.#refuse(id),
    );
    listenToKeys(
      (action) => this.#act(action),
      () => this.#help.keysAreOn,
    );
    this.#show(store.state);
    this.#draw(store.state);
    this.#address.read();
    this.#hasStarted = true;
  }

  #compose(): void {
    const main = element(
      "div",
      { class: "reader-main" },
      this.#title,
      this.#about,
      this.#table.element,
      this.#text,
    );
    const aside = element("div", { class: "reader-aside" }, this.#panel);
    if (this.#errors) aside.prepend(this.#errors.element);
    this.#home.classList.add("reader-app");
    this.#home.replaceChildren(
      this.#toolbar.element,
      this.#status,
      this.#search.element,
      element("div", { class: "reader-body" }, main, aside),
      this.#help.element,
    );
    // What stays at the top covers what it is scrolled over: others must know how much.
    const bar = this.#toolbar.element;
    new ResizeObserver(() => {
      this.#home.style.setProperty("--bar", `${bar.offsetHeight}px`);
    }).observe(bar);
  }

  #say(text: string): void {
    this.#status.textContent = text;
  }

  #refuse(id: string): void {
    const text = `This page has no document “${visible(id)}”.`;
    this.#about.textContent = text;
    this.#say(text);
  }

  #changed(state: State, before: State): void {
    const isOther = state.document !== before.document;
    if (state.systems.join() !== before.systems.join()) this.#table.renew();
    this.#draw(state);
    if (isOther) this.#moveTo(state, before);
  }

  /** Brings another document, or the table, into view, and the focus with it. */
  #moveTo(state: State, before: State): void {
    if (!this.#hasStarted) {
      if (location.hash && !hasTarget(state)) this.#reveal();
      return;
    }
    const active = document.activeElement;
    const hadFocus = this.#home.contains(active) || active === document.body;
    if (state.document === null) {
      if (hadFocus && this.#isSeen()) this.#table.focus(before.document ?? 0);
      return;
    }
    if (state.error === null) {
      this.#say(`${this.#title.textContent}. ${this.#about.textContent}`);
    }
    // The browser itself scrolls to where somebody was before.
    const isBack = this.#address.isReading;
    if (!hasTarget(state) && !(isBack && this.#isSeen())) this.#reveal();
    const isLost = active === document.body || this.#table.element.contains(active);
    if (isLost || !this.#home.contains(active)) {
      this.#title.focus({ preventScroll: true });
    }
  }

  /** Shows the reader to somebody who followed a link from elsewhere on the page. */
  #followed(): void {
    if (!hasTarget(this.#store.state) && !this.#isSeen()) this.#reveal();
    if (!this.#home.contains(document.activeElement)) {
      this.#title.focus({ preventScroll: true });
    }
  }

  #isSeen(): boolean {
    const { top, bottom } = this.#home.getBoundingClientRect();
    return bottom > 0 && top < window.innerHeight / 2;
  }

  #show(state: State): void {
    const isOpen = state.document !== null;
    this.#home.classList.toggle("is-open", isOpen);
    this.#table.element.hidden = isOpen || !this.#data.ids.length;
    this.#text.hidden = !isOpen;
    this.#panel.hidden = !isOpen;
  }

  #draw(state: State): void {
    const { document } = state;
    const isOpen = document !== null;
    this.#toolbar.draw(state);
    this.#title.textContent = isOpen
      ? (this.#data.titles[document] ?? "")
      : counted(this.#data.ids.length, "document");
    this.#about.textContent = isOpen ? this.#describe(document, state) : "";
  }

  /** Says what a document has, in a line. */
  #describe(number: number, state: State): string {
    const shown = this.#data.document(number);
    const mentions = shown.key.entityOf.filter((entity) => entity > 0).length;
    const entities = counted(shown.key.entities.length - 1, "entity", "entities");
    const size = shown.isOmitted
      ? "The text is omitted to keep the page small; the option --full includes it"
      : `${counted(mentions, "mention")} in ${entities}`;
    const metric = this.#data.metrics[this.#table.metric];
    if (metric === undefined || !state.systems.length) return size;
    const scores = state.systems.map((system) => {
      const { isMissing, scores = [] } = shown.responses[system] ?? {};
      const score = scores[this.#table.metric]?.toFixed(2) ?? "not defined";
      return `${this.#data.systems[system]} ${isMissing ? "lacks it" : score}`;
    });
    return `${size}. F1 by ${metric}: ${scores.join(", ")}`;
  }

  #reveal(): void {
    // Not scrollIntoView: it would also scroll a page that has this one in a frame.
    const { scrollPaddingTop } = getComputedStyle(document.documentElement);
    const top = this.#home.getBoundingClientRect().top;
    window.scrollBy({ top: top - parseFloat(scrollPaddingTop) });
  }

  #reordered(): void {
    this.#errors?.refresh();
    this.#toolbar.draw(this.#store.state);
  }

  #goTo(direction: 1 | -1): void {
    const { order } = this.#table;
    const { document } = this.#store.state;
    const at = document === null ? -1 : order.indexOf(document);
    const next = at < 0 && direction < 0 ? order.length - 1 : at + direction;
    const number = order[next];
    if (number === undefined) {
      this.#say(
        direction > 0 ? "This is the last document." : "This is the first document.",
      );
    } else this.#store.set({ document: number, ...NOTHING });
  }

  #act(action: Action): void {
    switch (action.do) {
      case "error":
        this.#errors?.step(action.direction);
        break;
      case "document":
        this.#goTo(action.direction);
        break;
      case "table":
        if (this.#data.ids.length > 1) showTable(this.#store);
        break;
      case "search":
        this.#search.open();
        break;
      case "help":
        this.#help.open();
        break;
      case "view":
        this.#switchView();
        break;
      case "system":
        if (action.system < this.#data.systems.length) {
          toggleSystem(this.#store, action.system);
        }
        break;
      case "leave":
        this.#leave();
    }
  }

  #switchView(): void {
    const views = VIEWS.filter(
      (view) => view !== "beside" || this.#data.systems.length,
    );
    const at = views.indexOf(this.#store.state.view);
    this.#store.set({ view: views[(at + 1) % views.length] ?? "text" });
  }

  /** Lets go of what was opened last: the search, or else what is in focus. */
  #leave(): void {
    const { error, focus, mention } = this.#store.state;
    if (this.#search.isOpen) this.#search.close();
    else if (error !== null || focus !== null || mention !== null)
      this.#store.set(NOTHING);
  }
}

/** Whether a state asks for a place in the text, to which the text scrolls itself. */
function hasTarget(state: State): boolean {
  return state.error !== null || state.mention !== null;
}
