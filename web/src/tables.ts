/** Tables of the page that can be sorted: a button in the head of each column. */

import { columnOf, type Direction, nextDirection, sortedRows } from "./compare";
import { element } from "./elements";

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
