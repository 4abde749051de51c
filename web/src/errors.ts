/** The list of errors, with filters; going through them one after the other. */

import { isOtherError } from "./address";
import { drawCard, saidOn } from "./card";
import { choiceOf, Filters, type Sort } from "./choosing";
import { scrollerOf, stepOptions } from "./controls";
import type { Data, ShownError } from "./data";
import { button, element } from "./elements";
import { type Filtered, filtered, step, withFirst } from "./filters";
import { type ErrorRows, errorRows, LINKS } from "./listing";
import { errorOf } from "./marks";
import { aboutError, details, kindName } from "./said";
import { fragmentOf, type State, type Store } from "./state";
import { WindowedRows } from "./windowed";
import { counted, written } from "./words";

export class ErrorList {
  readonly element: HTMLElement;
  readonly #data: Data;
  readonly #store: Store;
  readonly #order: () => readonly number[];
  readonly #say: (text: string) => void;
  readonly #errors: ErrorRows;
  readonly #filters: Filters;
  readonly #card: HTMLElement;
  readonly #about: HTMLElement;
  readonly #rows: WindowedRows;
  #found: Filtered;

  /** `order` gives the documents in the order in which people go through them. */
  constructor(
    data: Data,
    store: Store,
    order: () => readonly number[],
    say: (text: string) => void,
  ) {
    this.#data = data;
    this.#store = store;
    this.#order = order;
    this.#say = say;
    this.#errors = errorRows(data);
    this.#filters = new Filters(this.#errors, data.kinds, data.titles, () => {
      this.refresh();
      this.#say(this.#about.textContent ?? "");
    });
    this.#filters.element.hidden = this.#errors.document.length === 0;
    this.#card = element("div", { class: "card", set: { hidden: "" } });
    this.#about = element("h3", {}, "Errors");
    const body = element("ol");
    const scroller = scrollerOf("List of errors", body);
    this.element = element(
      "section",
      { class: "errors" },
      this.#top(),
      this.#filters.element,
      scroller,
      this.#card,
    );
    this.#rows = new WindowedRows({
      scroller,
      body,
      draw: (row) => this.#row(row),
      spacer: () => element("li", { class: "spacer", set: { "aria-hidden": "true" } }),
    });
    this.#found = this.refresh();
    store.listen((state, before) => this.#follow(state, before));
  }

  /** Filters again, as after a change of the order of documents. */
  refresh(): Filtered {
    this.#found = this.#filter();
    this.#filters.draw(this.#found, this.#store.state.document !== null);
    const { listed, rows } = this.#found;
    const isAll = listed.length === rows.length;
    const count = counted(listed.length, "error");
    const all = written(rows.length);
    this.#about.textContent = isAll ? count : `${count} here, ${all} in all`;
    this.#rows.show(listed.length, this.#listedAt());
    this.#drawCard();
    return this.#found;
  }

  /** Goes to the next or previous error. */
  step(direction: 1 | -1): void {
    const { rows } = this.#found;
    const { where } = this.#filters.wish;
    // A list of the open document's errors goes on in the next document.
    const among = where === "open" ? rows : this.#found.listed;
    const place = { row: this.#currentRow(), document: this.#store.state.document };
    const at = step(this.#errors, among, this.#order(), place, direction);
    if (at === null) {
      const end = direction > 0 ? "the last" : "the first";
      this.#say(
        among.length
          ? `This is ${end} of ${counted(among.length, "error")}.`
          : "No error is listed. Filters may keep some out.",
      );
      return;
    }
    this.#store.set(this.#stateOf(among[at] ?? 0));
  }

  #top(): HTMLElement {
    const previous = button(
      "‹",
      () => this.step(-1),
      stepOptions("Previous error", "p"),
    );
    const next = button("›", () => this.step(1), stepOptions("Next error", "n"));
    return element("div", { class: "top" }, this.#about, previous, next);
  }

  #filter(): Filtered {
    const { wish } = this.#filters;
    const { document, systems } = this.#store.state;
    const choice = choiceOf(wish, this.#data.kinds, systems);
    const asked =
      wish.where === "open" ? document : wish.where === "all" ? null : wish.where;
    return filtered(this.#errors, choice, this.#order(), asked);
  }

  #follow(state: State, before: State): void {
    // Beside an open document there is less room.
    if ((state.document === null) !== (before.document === null)) {
      this.#filters.element.open = state.document === null;
    }
    const isOther = isOtherError(state, before);
    if (isOther) this.#includeError();
    const isSame =
      state.document === before.document &&
      state.systems.join() === before.systems.join();
    if (isSame && state.error === before.error) return;
    if (isSame) {
      this.#showCurrent();
      this.#drawCard();
    } else this.refresh();
    if (isOther) this.#say(saidOn(this.#card));
  }

  /** Shows the view that has the error, which a link can ask for. */
  #includeError(): void {
    const current = this.#current();
    if (!current) return;
    const sort: Sort = LINKS.has(current.kind) ? "links" : "kinds";
    if (this.#filters.wish.sort === sort || this.#filters.wish.sort === "both") return;
    this.#filters.take({ sort, kinds: new Set() });
    this.refresh();
  }

  #error(row: number): { error: ShownError; document: number; system: number } {
    const document = this.#errors.document[row] ?? 0;
    const system = this.#errors.facets.system[row] ?? 0;
    const place = this.#errors.place[row] ?? 0;
    const { errors = [] } = this.#data.document(document).responses[system] ?? {};
    return { error: errors[place] as ShownError, document, system };
  }

  #stateOf(row: number): State {
    const { error, document, system } = this.#error(row);
    const { state } = this.#store;
    const systems = withFirst(state.systems, system);
    return { ...state, document, systems, error: error.id, focus: null, mention: null };
  }

  #current(): ShownError | null {
    const { state } = this.#store;
    if (state.document === null) return null;
    return errorOf(this.#data.document(state.document), state);
  }

  /** Finds the row of the error that is shown. */
  #currentRow(): number | null {
    const current = this.#current();
    const { document, systems } = this.#store.state;
    if (!current || document === null) return null;
    const system = systems[0] ?? 0;
    const errors = this.#data.document(document).responses[system]?.errors ?? [];
    const place = errors.indexOf(current);
    const { starts, facets } = this.#errors;
    for (let row = starts[document] ?? 0; row < (starts[document + 1] ?? 0); row++) {
      if (this.#errors.place[row] === place && facets.system[row] === system)
        return row;
    }
    return null;
  }

  #listedAt(): number {
    const row = this.#currentRow();
    return row === null ? -1 : this.#found.listed.indexOf(row);
  }

  /** Marks the error that is shown, and scrolls to it. */
  #showCurrent(): void {
    const at = this.#listedAt();
    this.#rows.setCurrent(at);
    this.#rows.reveal(at);
  }

  #drawCard(): void {
    drawCard(this.#card, this.#data, this.#store, this.#position());
  }

  /** Whether errors of more than one system are listed. */
  #hasSeveral(): boolean {
    const { whose } = this.#filters.wish;
    if (whose === "shown") return this.#store.state.systems.length > 1;
    return whose === "all" && this.#data.systems.length > 1;
  }

  /** Says which of the errors is shown, as in `, 3 of 39`. */
  #position(): string {
    const row = this.#currentRow();
    const at = row === null ? -1 : this.#found.rows.indexOf(row);
    if (at < 0) return "";
    const count = written(this.#found.rows.length);
    return `, ${written(at + 1)} of ${count}`;
  }

  #row(at: number): HTMLElement {
    const row = this.#found.listed[at] ?? 0;
    const { error, document, system } = this.#error(row);
    const state = this.#stateOf(row);
    const about = aboutError(error, this.#data.document(document));
    const where = [
      ...(this.#hasSeveral() ? [this.#data.systems[system] ?? ""] : []),
      ...(this.#store.state.document === document
        ? []
        : [this.#data.titles[document] ?? ""]),
      ...details(error, this.#data, document).slice(0, 2),
    ];
    const link = element(
      "a",
      { set: { href: `#${fragmentOf(state, this.#data.ids)}` } },
      element("b", { class: `kind ${error.kind}` }, kindName(error.kind)),
      " ",
      element("span", { class: "what", set: { dir: "auto" } }, about),
      element("span", { class: "where" }, where.join(" · ")),
    );
    const { length } = this.#found.listed;
    return element(
      "li",
      { set: { "aria-setsize": length, "aria-posinset": at + 1 } },
      link,
    );
  }
}
