/** The table of documents: what the reader shows while none is open. */

import type { Data, EncodedDocument } from "./data";
import { element } from "./elements";
import { LINKS } from "./error_list";
import { written } from "./error_text";
import { choices, scrollerOf, setOptions } from "./reader";
import {
  type Direction,
  markSorted,
  nextDirection,
  type Sortable,
  sortedRows,
} from "./sorting";
import { fragmentOf, START, type Store } from "./state";
import { WindowedRows } from "./window_list";

export interface Column {
  /** What tells it from the others. */
  readonly key: string;
  readonly head: string;
  /** The head where there is little room. */
  readonly short: string;
  /** What stands above several columns in a row. */
  readonly group: string;
  /** A cell for each document. */
  readonly cells: readonly Sortable[];
  text(cell: Sortable, document: number): string;
}

/** Makes the columns: name, size, scores, errors; F1 is that of one metric. */
export function documentColumns(
  data: Data,
  metric: number,
  shown: readonly number[],
): Column[] {
  const documents = data.ids.map((_, number) => data.encoded(number));
  const columns = [
    column("name", "Document", "", data.titles, String),
    column("words", "Tokens", "Size", documents.map(tokenCount), whole),
    column("mentions", "Mentions", "Size", documents.map(mentionCount), whole),
  ];
  const name = data.metrics[metric];
  if (name !== undefined) columns.push(...scoreColumns(data, documents, metric, shown));
  if (!data.hasErrors) return columns;
  const shorts = shortNames(data.systems);
  data.systems.forEach((system, number) => {
    const cells = documents.map((document) => errorCount(document, number, data.kinds));
    columns.push(
      column(`errors ${number}`, system, "Errors", cells, whole, shorts[number]),
    );
  });
  return columns;
}

function scoreColumns(
  data: Data,
  documents: readonly EncodedDocument[],
  metric: number,
  shown: readonly number[],
): Column[] {
  const group = `${data.metrics[metric]} F1, %`;
  const scores = data.systems.map((_, system) =>
    documents.map((document) => scoreOf(document, system, metric)),
  );
  const shorts = shortNames(data.systems);
  const columns = data.systems.map((system, number) => {
    const text = (cell: Sortable, document: number): string =>
      documents[document]?.responses?.[number]?.missing ? "missing" : percent(cell);
    const cells = scores[number] ?? [];
    return column(`score ${number}`, system, group, cells, text, shorts[number]);
  });
  const [one = 0, other] = [...shown].sort((left, right) => left - right);
  if (other === undefined) return columns;
  const cells = documents.map((_, at) => {
    const left = scores[one]?.[at] ?? null;
    const right = scores[other]?.[at] ?? null;
    // Scores are hundredths when they are written: no digits appear by subtraction.
    return left === null || right === null
      ? null
      : Math.round(100 * (left - right)) / 100;
  });
  const head = `${data.systems[one]} − ${data.systems[other]}`;
  const key = `difference ${one} ${other}`;
  return [...columns, column(key, head, group, cells, signed, "diff.")];
}

function column(
  key: string,
  head: string,
  group: string,
  cells: readonly Sortable[],
  text: (cell: Sortable, document: number) => string,
  short: string = head,
): Column {
  return { key, head, short, group, cells, text };
}

/** Counts the letters with which all names start, up to the end of a word of theirs. */
export function sharedStart(names: readonly string[]): number {
  const [first = "", ...others] = names;
  let length = others.length ? first.length : 0;
  for (const name of others) {
    while (!name.startsWith(first.slice(0, length))) length -= 1;
  }
  while (length > 0 && /[\p{L}\p{M}\p{N}\p{Cs}]/u.test(first.charAt(length - 1)))
    length -= 1;
  return length;
}

const ROOM = 8; // letters in the head of a column

/** Cuts long names at their ends, or at their starts where these are alike. */
export function shortNames(names: readonly string[]): string[] {
  const letters = names.map((name) => [...name]);
  const starts = new Set(letters.map((name) => name.slice(0, ROOM - 1).join("")));
  const areAlike = starts.size < names.length;
  return letters.map((name) => {
    if (name.length <= ROOM) return name.join("");
    if (areAlike) return `…${name.slice(1 - ROOM).join("")}`;
    return `${name.slice(0, ROOM - 1).join("")}…`;
  });
}

/** Lists what stands above columns, and above how many. */
export function columnGroups(columns: readonly Column[]): [string, number][] {
  const groups: [string, number][] = [];
  for (const { group } of columns) {
    const last = groups.at(-1);
    if (last && last[0] === group) last[1] += 1;
    else groups.push([group, 1]);
  }
  return groups;
}

function tokenCount(document: EncodedDocument): number {
  return document.text.reduce((sum, sentence) => sum + lengthOf(sentence), 0);
}

/** Counts the tokens of a sentence without making them: all documents are counted. */
function lengthOf(sentence: string | string[]): number {
  if (typeof sentence !== "string") return sentence.length;
  let count = 1;
  for (let at = sentence.indexOf(" "); at >= 0; at = sentence.indexOf(" ", at + 1)) {
    count += 1;
  }
  return count;
}

function mentionCount(document: EncodedDocument): number {
  return (document.key ?? []).filter((entity) => entity > 0).length;
}

/** Counts the errors of the seven kinds; links are another view of the same. */
function errorCount(
  document: EncodedDocument,
  system: number,
  kinds: readonly string[],
): number {
  const errors = document.responses?.[system]?.errors ?? [];
  return errors.filter(([kind = 0]) => !LINKS.has(kinds[kind] ?? "")).length;
}

function scoreOf(
  document: EncodedDocument,
  system: number,
  metric: number,
): number | null {
  const score = document.responses?.[system]?.scores?.[metric];
  return score === undefined || score === null ? null : score / 100;
}

function whole(cell: Sortable): string {
  return typeof cell === "number" ? written(cell) : "";
}

function percent(cell: Sortable): string {
  return typeof cell === "number" ? cell.toFixed(2) : "–";
}

function signed(cell: Sortable): string {
  if (typeof cell !== "number") return "–";
  const digits = Math.abs(cell).toFixed(2);
  if (Number(digits) === 0) return digits;
  return cell < 0 ? `−${digits}` : `+${digits}`;
}

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
