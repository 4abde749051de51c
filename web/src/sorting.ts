/** Tables of the page that can be sorted: a button in the head of each column. */

import { element } from "./elements";

/** A cell as it is sorted: a number, a text, or nothing, which stands last. */
export type Sortable = number | string | null;

export type Direction = "ascending" | "descending";

const COLLATOR = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Compares two cells; nothing stands last in either direction. */
function compareCells(one: Sortable, other: Sortable, direction: Direction): number {
  if (one === null || other === null)
    return Number(one === null) - Number(other === null);
  const sign = direction === "ascending" ? 1 : -1;
  if (typeof one === "number" && typeof other === "number") return sign * (one - other);
  return sign * COLLATOR.compare(`${one}`, `${other}`);
}

/** Sorts the numbers of rows by their cells; rows with equal cells keep their order. */
export function sortedRows(cells: readonly Sortable[], direction: Direction): number[] {
  return [...cells.keys()].sort(
    (one, other) =>
      compareCells(cells[one] ?? null, cells[other] ?? null, direction) || one - other,
  );
}

// A number, and perhaps what follows it: a unit, an interval, a remark.
const NUMBER = /^([+\-−–]?)(\d{1,3}(?:,\d{3})+|\d+)?(\.\d+)?(?=$|[\s%‰[(±])/u;

/** Reads the number at the start of a text; null if there is none. */
export function numberIn(text: string): number | null {
  const [all, sign, whole = "", rest = ""] = NUMBER.exec(text.trim()) ?? [];
  if (all === undefined || !(whole || rest)) return null;
  const number = Number(`${whole.replaceAll(",", "")}${rest}`);
  return sign && sign !== "+" ? -number : number;
}

const NOTHING = /^(?:[-–—]|n\/a|)$/iu;

/** Reads a column: as numbers if all its cells are, else as texts. */
export function columnOf(texts: readonly string[]): Sortable[] {
  const trimmed = texts.map((text) => text.trim());
  const numbers = trimmed.map(numberIn);
  const isNumeric = trimmed.every(
    (text, at) => NOTHING.test(text) || numbers[at] !== null,
  );
  if (isNumeric) return numbers;
  return trimmed.map((text) => (NOTHING.test(text) ? null : text));
}

/** Says in which direction a column is sorted next; null for the order at the start. */
export function nextDirection(
  now: Direction | null,
  cells: readonly Sortable[],
): Direction | null {
  // Of numbers, people ask for the largest; of names, for the first.
  const first = cells.some((cell) => typeof cell === "number")
    ? "descending"
    : "ascending";
  if (now === null) return first;
  if (now !== first) return null;
  return first === "descending" ? "ascending" : "descending";
}

export function makeSortable(page: ParentNode): void {
  for (const table of page.querySelectorAll<HTMLTableElement>("table[data-sortable]")) {
    new SortableTable(table);
  }
}

/** Shows in the head of a column how the table is sorted. */
export function markSorted(head: Element, direction: Direction | null): void {
  head.setAttribute("aria-sort", direction ?? "none");
}

/** A table whose rows, or groups of rows, change places. */
class SortableTable {
  readonly #table: HTMLTableElement;
  readonly #heads: HTMLTableCellElement[];
  /** What moves: rows of a table with one body, else its bodies. */
  readonly #units: HTMLTableSectionElement[] | HTMLTableRowElement[];
  #sorted: { column: number; direction: Direction } | null = null;

  constructor(table: HTMLTableElement) {
    this.#table = table;
    const [...bodies] = table.tBodies;
    this.#units = bodies.length === 1 ? [...(bodies[0]?.rows ?? [])] : bodies;
    const head = table.tHead?.rows[table.tHead.rows.length - 1];
    this.#heads = [...(head?.cells ?? [])];
    if (this.#units.length < 2) return;
    table.classList.add("sortable");
    this.#heads.forEach((cell, column) => {
      this.#addButton(cell, column);
    });
  }

  #addButton(cell: HTMLTableCellElement, column: number): void {
    const sort = element("button", { class: "sort", set: { type: "button" } });
    sort.append(...cell.childNodes);
    cell.append(sort);
    markSorted(cell, null);
    sort.addEventListener("click", () => this.#sort(column));
  }

  #sort(column: number): void {
    const cells = columnOf(this.#units.map((unit) => textOf(unit, column)));
    const now = this.#sorted?.column === column ? this.#sorted.direction : null;
    const direction = nextDirection(now, cells);
    this.#sorted = direction && { column, direction };
    const order = direction ? sortedRows(cells, direction) : [...this.#units.keys()];
    const home = this.#units[0]?.parentElement ?? this.#table;
    home.append(...order.map((row) => this.#units[row] as HTMLElement));
    this.#heads.forEach((cell, at) => {
      markSorted(cell, at === column ? direction : null);
    });
  }
}

/** Reads a cell; marks and letters above its end are no part of its value. */
function textOf(
  unit: HTMLTableSectionElement | HTMLTableRowElement,
  column: number,
): string {
  const row = unit instanceof HTMLTableRowElement ? unit : unit.rows[0];
  const cell = row?.cells[column];
  if (!cell) return "";
  const given = cell.dataset.sort;
  if (given !== undefined) return given;
  const copy = cell.cloneNode(true) as HTMLElement;
  for (const mark of copy.querySelectorAll("sup, abbr, .see")) mark.remove();
  return copy.textContent ?? "";
}
