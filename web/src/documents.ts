/** The table of documents: what the reader shows while none is open. */

import { type Column, columnGroups, documentColumns, sharedStart } from "./columns";
import { type Direction, nextDirection, type Sortable, sortedRows } from "./compare";
import { choices, scrollerOf, setOptions } from "./controls";
import type { Data } from "./data";
import { element } from "./elements";
import { fragmentOf, START, type Store } from "./state";
import { markSorted } from "./tables";
import { WindowedRows } from "./windowed";

export class DocumentTable {
  readonly element: HTMLElement;
  readonly #data: Data;
  readonly #store: Store;
  readonly #table: HTMLTableElement;
  readonly #rows: WindowedRows;
  readonly #ordered: () => void;
  /** How many letters all names start with. */
  readonly #shared: number;
  #metric: number;
  #columns: readonly Column[] = [];
  #sorted: { head: string; direction: Direction } | null = null;
  #order: readonly number[];

  /** Calls `ordered` when documents have another order. */
  constructor(data: Data, store: Store, ordered: () => void) {
    this.#data = data;
    this.#store = store;
    this.#ordered = ordered;
    this.#metric = Math.max(0, data.metrics.indexOf("CoNLL"));
    this.#order = [...data.ids.keys()];
    this.#shared = sharedStart(data.titles);
    this.#table = element("table", { set: { "aria-rowcount": data.ids.length + 2 } });
    const head = this.#table.createTHead();
    const body = this.#table.createTBody();
    const scroller = scrollerOf("Documents", this.#table);
    this.element = element(
      "section",
      { class: "documents" },
      this.#choices(),
      scroller,
    );
    this.#rows = new WindowedRows({
      scroller,
      body,
      head,
      draw: (row) => this.#row(row),
      spacer: () => element("tr", { set: { "aria-hidden": "true" } }, element("td")),
    });
    this.#drawAll();
  }

  /** The documents in the order of the table. */
  get order(): readonly number[] {
    return this.#order;
  }

  /** The number of the metric whose scores are shown. */
  get metric(): number {
    return this.#metric;
  }

  /** Shows the columns of the systems that are shown now. */
  renew(): void {
    this.#drawAll();
  }

  /** Gives the focus to a document. */
  focus(document: number): void {
    this.#rows.focus(this.#order.indexOf(document));
  }

  #choices(): HTMLElement {
    const { metrics } = this.#data;
    const { label, select } = choices("F1 by", (value) => {
      this.#metric = Number(value);
      this.#drawAll();
    });
    setOptions(
      select,
      metrics.map((name, at) => [`${at}`, name]),
      `${this.#metric}`,
    );
    label.hidden = metrics.length < 2;
    return element("div", { class: "choices" }, label);
  }

  #drawAll(): void {
    const { systems } = this.#store.state;
    this.#columns = documentColumns(this.#data, this.#metric, systems);
    this.#sortRows();
    this.#drawHead();
    this.#rows.show(this.#order.length);
  }

  #drawHead(): void {
    const groups = columnGroups(this.#columns).map(([name, count]) =>
      name
        ? element("th", { set: { scope: "colgroup", colspan: count } }, name)
        : element("td", { set: { colspan: count } }),
    );
    const heads = this.#columns.map((column, at) => {
      const sort = element("button", {
        class: "sort",
        text: column.short,
        set: { type: "button", title: column.head, "aria-label": column.head },
      });
      sort.addEventListener("click", () => this.#sort(column.key, column.cells));
      const head = element(
        "th",
        { class: at ? "" : "name", set: { scope: "col" } },
        sort,
      );
      const { direction = null } =
        this.#sorted?.head === column.key ? this.#sorted : {};
      markSorted(head, direction);
      return head;
    });
    const caption = element("caption", {}, "Documents. A click on a head sorts them.");
    this.#table.caption?.remove();
    this.#table.querySelector("colgroup")?.remove();
    const columns = this.#columns.map((_, at) =>
      element("col", at ? { class: "narrow" } : {}),
    );
    this.#table.prepend(caption, element("colgroup", {}, ...columns));
    // Columns of one width, whatever is in them: hundreds of rows are laid out at once.
    this.#table.style.minWidth = `${NAME_WIDTH + WIDTH * (this.#columns.length - 1)}rem`;
    this.#table.tHead?.replaceChildren(
      element("tr", {}, ...groups),
      element("tr", {}, ...heads),
    );
  }

  #sort(head: string, cells: readonly Sortable[]): void {
    const now = this.#sorted?.head === head ? this.#sorted.direction : null;
    const direction = nextDirection(now, cells);
    this.#sorted = direction && { head, direction };
    this.#drawAll();
    const at = this.#columns.findIndex((column) => column.key === head);
    const row = this.#table.tHead?.rows[1];
    row?.cells[at]?.querySelector("button")?.focus();
    this.#ordered();
  }

  #sortRows(): void {
    const by = this.#columns.find((column) => column.key === this.#sorted?.head);
    if (!by || !this.#sorted) this.#order = [...this.#data.ids.keys()];
    else this.#order = sortedRows(by.cells, this.#sorted.direction);
  }

  /** Writes the name of a document; what it shares with all others is cut first. */
  #name(number: number): (Node | string)[] {
    const name = this.#data.titles[number] ?? "";
    const start = name.slice(0, this.#shared);
    if (!start) return [name];
    const rest = name.slice(this.#shared);
    return [element("span", { text: start }), element("span", { text: rest })];
  }

  #row(row: number): HTMLElement {
    const number = this.#order[row] ?? 0;
    const { systems, view } = this.#store.state;
    const state = { ...START, document: number, systems, view };
    const href = `#${fragmentOf(state, this.#data.ids)}`;
    const [, ...columns] = this.#columns;
    return element(
      "tr",
      { set: { "aria-rowindex": row + 3 } },
      element(
        "th",
        { set: { scope: "row" } },
        element(
          "a",
          { set: { href, dir: "auto", title: this.#data.titles[number] } },
          ...this.#name(number),
        ),
      ),
      ...columns.map((column) =>
        element("td", {}, column.text(column.cells[number] ?? null, number)),
      ),
    );
  }
}

const NAME_WIDTH = 14; // rem
const WIDTH = 5.5;
