/**
 * Rows of a table or list, of which only those near the window are in the page where
 * there are many. All rows have one height. One row can have the focus; arrow keys,
 * Page Up and Down, Home and End move it.
 */

export interface Cursor {
  readonly text: HTMLElement;
  current: HTMLElement | null;
}

/** Moves the cursor to a piece, or from there by a key. Says whether the key did it. */
export function moveCursor(
  cursor: Cursor,
  piece: HTMLElement | null,
  key = "",
): boolean {
  const all = [...cursor.text.querySelectorAll<HTMLElement>(".piece.first")];
  const from = piece?.classList.contains("first")
    ? piece
    : (all.find((one) => isSameMention(one, piece)) ?? all[0] ?? null);
  const to = key ? target(all, from, key) : from;
  if (!to) return false;
  if (cursor.current) cursor.current.tabIndex = -1;
  cursor.current = to;
  to.tabIndex = 0;
  if (key) to.focus();
  return true;
}

function isSameMention(one: HTMLElement, other: HTMLElement | null): boolean {
  return (
    one.dataset.span === other?.dataset.span &&
    one.dataset.system === other?.dataset.system
  );
}

function target(
  all: readonly HTMLElement[],
  from: HTMLElement | null,
  key: string,
): HTMLElement | null {
  const at = from ? all.indexOf(from) : -1;
  if (at < 0 || !from) return null;
  const isLeftward = getComputedStyle(from).direction === "rtl";
  const step = (forward: boolean) => all[at + (forward ? 1 : -1)] ?? null;
  switch (key) {
    case "ArrowRight":
      return step(!isLeftward);
    case "ArrowLeft":
      return step(isLeftward);
    case "ArrowDown":
      return otherSentence(all.slice(at), from);
    case "ArrowUp":
      return otherSentence(all.slice(0, at).reverse(), from);
    case "Home":
      return all[0] ?? null;
    case "End":
      return all.at(-1) ?? null;
    default:
      return null;
  }
}

function otherSentence(among: readonly HTMLElement[], from: HTMLElement) {
  const sentence = from.closest(".sentence");
  return among.find((one) => one.closest(".sentence") !== sentence) ?? null;
}

/** The number of rows up to which all are in the page, where find-in-page sees them. */
const ALL_UP_TO = 500;
const BEYOND = 12; // rows above and below what is seen

/** Rows from `first` up to, but without, `end`. */
export interface Range {
  readonly first: number;
  readonly end: number;
}

/** Says which rows are to be in the page. */
export function rangeOf(
  count: number,
  rowHeight: number,
  scroll: number,
  height: number,
): Range {
  if (count <= ALL_UP_TO) return { first: 0, end: count };
  const first = Math.floor(scroll / rowHeight) - BEYOND;
  const end = Math.ceil((scroll + height) / rowHeight) + BEYOND;
  const last = Math.min(count, Math.max(end, 0));
  return { first: Math.min(Math.max(first, 0), last), end: last };
}

/** Says how far to scroll so that a row is seen, moving no more than needed. */
export function scrollTo(
  row: number,
  rowHeight: number,
  scroll: number,
  height: number,
): number {
  const top = row * rowHeight;
  if (top < scroll) return top;
  return Math.max(scroll, Math.min(top, top + rowHeight - height));
}

/** Says to which row a key moves; null if it is none of these keys. */
export function rowAfter(
  key: string,
  row: number,
  count: number,
  page: number,
): number | null {
  const moves: Record<string, number> = {
    ArrowDown: row + 1,
    ArrowUp: row - 1,
    PageDown: row + page,
    PageUp: row - page,
    Home: 0,
    End: count - 1,
  };
  const moved = moves[key];
  if (moved === undefined || count === 0) return null;
  return Math.min(Math.max(moved, 0), count - 1);
}

export interface Options {
  /** What scrolls. */
  readonly scroller: HTMLElement;
  /** What has the rows. */
  readonly body: HTMLElement;
  /** What stays at the top of the scroller while rows scroll below it. */
  readonly head?: HTMLElement;
  /** Makes a row; what can have the focus in it is its first link. */
  readonly draw: (row: number) => HTMLElement;
  /** Makes what takes the room of rows that are not in the page. */
  readonly spacer: () => HTMLElement;
}

/** The rows in the page. */
export class WindowedRows {
  readonly #options: Options;
  readonly #above: HTMLElement;
  readonly #below: HTMLElement;
  readonly #drawn = new Map<number, HTMLElement>();
  #count = 0;
  #active = 0;
  #current = -1;
  #rowHeight = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#above = options.spacer();
    this.#below = options.spacer();
    options.scroller.addEventListener("scroll", () => this.#draw(), { passive: true });
    options.scroller.addEventListener("keydown", (event) => this.#move(event));
    options.body.addEventListener("focusin", (event) => this.#focused(event));
    new ResizeObserver(() => {
      this.#rowHeight = 0;
      this.#draw();
      // The list is lower once a text is open beside it: its current row stays in sight.
      if (this.#current >= 0 && this.#current === this.#active)
        this.reveal(this.#current);
    }).observe(options.scroller);
  }

  /** Shows other rows, from the first one or so that the current one is seen. */
  show(count: number, current = -1): void {
    const { body, scroller } = this.#options;
    const hadFocus = body.contains(document.activeElement);
    this.#count = count;
    this.#current = current;
    this.#active = Math.max(current, 0);
    this.#drawn.clear();
    body.replaceChildren();
    scroller.scrollTop = 0;
    this.#draw();
    if (hadFocus) this.focus(this.#active);
    else if (current > 0) this.reveal(current);
  }

  /** Marks one of the rows as the current one; -1 for none. */
  setCurrent(row: number): void {
    const before = this.#current;
    this.#current = row;
    for (const changed of [before, row]) this.#markCurrent(changed);
  }

  /** Scrolls to a row, which is then the one that Tab leads to. */
  reveal(row: number): void {
    if (row < 0 || row >= this.#count) return;
    const { scroller } = this.#options;
    this.#active = row;
    scroller.scrollTop = scrollTo(
      row,
      this.#height(),
      scroller.scrollTop,
      this.#seen(),
    );
    this.#draw();
    this.#mark();
  }

  /** Scrolls to a row and gives it the focus. */
  focus(row: number): void {
    this.reveal(row);
    const target = this.#drawn.get(this.#active)?.querySelector("a");
    target?.focus({ preventScroll: true });
  }

  #seen(): number {
    const { scroller, head } = this.#options;
    return scroller.clientHeight - (head?.offsetHeight ?? 0);
  }

  #height(): number {
    if (!this.#rowHeight) {
      const [row] = this.#drawn.values();
      this.#rowHeight = row?.getBoundingClientRect().height ?? 0;
    }
    return this.#rowHeight || 40;
  }

  #draw(): void {
    const { scroller, body } = this.#options;
    if (this.#count && !this.#drawn.size) this.#add(0, body.firstChild);
    const height = this.#height();
    const seen = this.#seen();
    const range = rangeOf(this.#count, height, scroller.scrollTop, seen);
    const focused = document.activeElement;
    for (const [row, element] of this.#drawn) {
      if (row >= range.first && row < range.end) continue;
      // The focus stays in the list though its row has left the page.
      if (element.contains(focused)) scroller.focus({ preventScroll: true });
      element.remove();
      this.#drawn.delete(row);
    }
    this.#above.style.height = `${range.first * height}px`;
    this.#below.style.height = `${(this.#count - range.end) * height}px`;
    if (body.firstChild !== this.#above) body.prepend(this.#above);
    if (body.lastChild !== this.#below) body.append(this.#below);
    let after: ChildNode | null = this.#above.nextSibling;
    for (let row = range.first; row < range.end; row++) {
      const there = this.#drawn.get(row);
      if (there) after = there.nextSibling;
      else this.#add(row, after);
    }
  }

  #add(row: number, before: ChildNode | null): void {
    const element = this.#options.draw(row);
    element.dataset.row = `${row}`;
    this.#drawn.set(row, element);
    this.#options.body.insertBefore(element, before);
    this.#tabTo(element, row === this.#active);
    if (row === this.#current) this.#markCurrent(row);
  }

  #markCurrent(row: number): void {
    const target = this.#drawn.get(row)?.querySelector("a");
    if (row === this.#current) target?.setAttribute("aria-current", "true");
    else target?.removeAttribute("aria-current");
  }

  #tabTo(element: HTMLElement, isActive: boolean): void {
    const target = element.querySelector("a");
    if (target) target.tabIndex = isActive ? 0 : -1;
  }

  #mark(): void {
    for (const [row, element] of this.#drawn) {
      this.#tabTo(element, row === this.#active);
    }
  }

  #move(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.#seen() / this.#height()) - 1);
    const row = rowAfter(event.key, this.#active, this.#count, page);
    if (row === null) return;
    event.preventDefault();
    event.stopPropagation();
    this.focus(row);
  }

  #focused(event: FocusEvent): void {
    const row = (event.target as HTMLElement).closest<HTMLElement>("[data-row]");
    if (!row) return;
    this.#active = Number(row.dataset.row);
    this.#mark();
  }
}
