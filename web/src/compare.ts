/** The order of cells in sorted tables. */

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
