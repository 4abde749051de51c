/** The reader: one document at a time, with its layers, panel and errors. */

import { Address } from "./address";
import type { Data } from "./data";
import { DocumentTable } from "./documents";
import { element } from "./elements";
import { ErrorList } from "./errors";
import { SearchView } from "./found";
import { Help } from "./help";
import { type Action, listenToKeys } from "./keys";
import { FocusPanel } from "./panel";
import type { State, Store } from "./state";
import { DocumentView } from "./text";
import { NOTHING, showTable, Toolbar, toggleSystem } from "./toolbar";
import { visible } from "./visible";
import { counted } from "./words";

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
    const size = `${counted(mentions, "mention")} in ${entities}`;
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
    if (!this.#data.systems.length) return;
    const { view } = this.#store.state;
    this.#store.set({ view: view === "overlay" ? "beside" : "overlay" });
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
