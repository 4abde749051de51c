/** The filters of the list of errors, with how many errors each lets through. */

import { choices, group, press, setOptions } from "./controls";
import { button, element } from "./elements";
import { type Choice, EVERYTHING, type Filtered } from "./filters";
import { type ErrorRows, type Facet, LINKS } from "./listing";
import { kindName } from "./said";
import { written } from "./words";

/** The two views of errors: kinds say what to repair, links what should be linked. */
export type Sort = "kinds" | "links" | "both";

/** Whose errors are listed: those of the systems shown, of all, or of one. */
export type Whose = "shown" | "all" | number;

/** Of which documents: the one that is open, all, or one. */
export type Where = "open" | "all" | number;

/** What somebody chose. */
export interface Wish {
  readonly sort: Sort;
  /** Of the kinds and links, those that are chosen; all if none is. */
  readonly kinds: ReadonlySet<number>;
  readonly type: number | null;
  readonly distance: number | null;
  readonly shared: number | null;
  readonly whose: Whose;
  readonly where: Where;
}

export const NO_WISH: Wish = {
  sort: "kinds",
  kinds: new Set(),
  type: null,
  distance: null,
  shared: null,
  whose: "shown",
  where: "open",
};

/** Lists the kinds that a view has, as places in `kinds`. */
export function kindsOf(sort: Sort, kinds: readonly string[]): number[] {
  return [...kinds.keys()].filter(
    (kind) => sort === "both" || LINKS.has(kinds[kind] ?? "") === (sort === "links"),
  );
}

/** Says which errors a wish lets through. */
export function choiceOf(
  wish: Wish,
  kinds: readonly string[],
  shown: readonly number[],
): Choice {
  const of = kindsOf(wish.sort, kinds);
  const chosen = of.filter((kind) => wish.kinds.has(kind));
  const one = (value: number | null): Set<number> | null =>
    value === null ? null : new Set([value]);
  const system =
    wish.whose === "shown"
      ? new Set(shown)
      : wish.whose === "all"
        ? null
        : new Set([wish.whose]);
  return {
    ...EVERYTHING,
    kind: new Set(chosen.length ? chosen : of),
    type: one(wish.type),
    // Only links have a distance.
    distance: wish.sort === "kinds" ? null : one(wish.distance),
    shared: one(wish.shared),
    system,
  };
}

type Selects = Readonly<
  Record<"type" | "distance" | "shared" | "whose" | "where", ReturnType<typeof choices>>
>;

export class Filters {
  readonly element: HTMLDetailsElement;
  readonly #summary: HTMLElement;
  readonly #rows: ErrorRows;
  readonly #kinds: readonly string[];
  readonly #titles: readonly string[];
  readonly #changed: () => void;
  readonly #sorts: ReadonlyMap<Sort, HTMLButtonElement>;
  readonly #chips: readonly HTMLButtonElement[];
  readonly #selects: Selects;
  readonly #clear: HTMLButtonElement;
  #wish: Wish = NO_WISH;

  /** Calls `changed` when somebody chooses. */
  constructor(
    rows: ErrorRows,
    kinds: readonly string[],
    titles: readonly string[],
    changed: () => void,
  ) {
    this.#rows = rows;
    this.#kinds = kinds;
    this.#titles = titles;
    this.#changed = changed;
    this.#sorts = new Map(
      (["kinds", "links", "both"] as const).map((sort) => [
        sort,
        button(SORTS[sort], () => this.set({ sort, kinds: new Set() }), {
          set: { title: SORT_TITLES[sort] },
        }),
      ]),
    );
    this.#chips = kinds.map((_, kind) => button("", () => this.#toggle(kind)));
    this.#selects = this.#makeSelects();
    this.#clear = button("Clear filters", () => this.set(NO_WISH), { class: "quiet" });
    const body = element(
      "div",
      {},
      group("Errors as", "switch", [...this.#sorts.values()]),
      group("Kinds", "chips", this.#chips),
      element(
        "div",
        { class: "choices" },
        ...Object.values(this.#selects).map(({ label }) => label),
        this.#clear,
      ),
    );
    this.#summary = element("summary", {}, "Filters");
    this.element = element("details", { class: "filters" }, this.#summary, body);
    this.element.open = true;
  }

  get wish(): Wish {
    return this.#wish;
  }

  set(change: Partial<Wish>): void {
    this.#wish = { ...this.#wish, ...change };
    this.#changed();
  }

  /** Takes a wish without telling anybody. */
  take(change: Partial<Wish>): void {
    this.#wish = { ...this.#wish, ...change };
  }

  /** Shows what is chosen, and the counts. */
  draw(found: Filtered, isOpen: boolean): void {
    for (const [sort, made] of this.#sorts) press(made, sort === this.#wish.sort);
    const of = new Set(kindsOf(this.#wish.sort, this.#kinds));
    this.#chips.forEach((chip, kind) => {
      const count = found.counts.kind[kind] ?? 0;
      const name = kindName(this.#kinds[kind] ?? "");
      chip.hidden = !of.has(kind);
      chip.replaceChildren(name, " ", element("b", {}, written(count)));
      chip.classList.toggle("empty", count === 0);
      press(chip, this.#wish.kinds.has(kind));
    });
    for (const facet of ["type", "distance", "shared"] as const) {
      this.#drawFacet(facet, found.counts[facet]);
    }
    this.#selects.distance.label.hidden ||= this.#wish.sort === "kinds";
    this.#drawWhose(found.counts.system);
    this.#drawWhere(found, isOpen);
    const active = activeCount(this.#wish);
    this.#clear.hidden = active === 0;
    this.#summary.textContent = active ? `Filters (${active} set)` : "Filters";
  }

  #toggle(kind: number): void {
    const kinds = new Set(this.#wish.kinds);
    if (!kinds.delete(kind)) kinds.add(kind);
    this.set({ kinds });
  }

  #makeSelects(): Selects {
    const one = (value: string): number | null => (value === "" ? null : Number(value));
    const word = <Word extends string>(value: string): Word | number =>
      /^\d+$/.test(value) ? Number(value) : (value as Word);
    return {
      type: choices("Type", (value) => this.set({ type: one(value) })),
      distance: choices("Distance", (value) => this.set({ distance: one(value) })),
      shared: choices("Made by", (value) => this.set({ shared: one(value) })),
      whose: choices("System", (value) => this.set({ whose: word(value) })),
      where: choices("Document", (value) => this.set({ where: word(value) })),
    };
  }

  #drawFacet(facet: "type" | "distance" | "shared", counts: Uint32Array): void {
    const { label, select } = this.#selects[facet];
    const chosen = this.#wish[facet];
    const there = this.#there(facet);
    const isLinks = this.#wish.sort === "links";
    const options = this.#rows.labels[facet].flatMap((name, value) =>
      there.has(value) && !(facet === "distance" && value === NO_LINK && isLinks)
        ? [[`${value}`, withCount(name, counts[value] ?? 0)] as const]
        : [],
    );
    label.hidden = there.size < 2;
    setOptions(select, [["", "all"], ...options], chosen === null ? "" : `${chosen}`);
  }

  readonly #known = new Map<Facet, ReadonlySet<number>>();

  /** Lists the values of a facet that errors of the page have at all. */
  #there(facet: Facet): ReadonlySet<number> {
    let there = this.#known.get(facet);
    if (!there) {
      there = new Set(this.#rows.facets[facet]);
      this.#known.set(facet, there);
    }
    return there;
  }

  #drawWhose(counts: Uint32Array): void {
    const { label, select } = this.#selects.whose;
    const systems = this.#rows.labels.system;
    label.hidden = systems.length < 2;
    const options = systems.map(
      (name, system) => [`${system}`, withCount(name, counts[system] ?? 0)] as const,
    );
    const top = [
      ["shown", "those shown"],
      ["all", "all"],
    ] as const;
    setOptions(select, [...top, ...options], `${this.#wish.whose}`);
  }

  #drawWhere(found: Filtered, isOpen: boolean): void {
    const { label, select } = this.#selects.where;
    label.hidden = this.#titles.length < 2;
    const all = [["all", withCount("all documents", found.rows.length)]] as const;
    const options = this.#titles.map(
      (title, at) => [`${at}`, withCount(title, found.documents[at] ?? 0)] as const,
    );
    // Without an open document its errors are those of all documents.
    const open = isOpen ? "the open one" : "all documents";
    const hasAll = isOpen || this.#wish.where === "all";
    setOptions(
      select,
      [["open", open], ...(hasAll ? all : []), ...options],
      `${this.#wish.where}`,
    );
  }
}

const NO_LINK = 0; // the distance of errors that are no links

const SORTS: Readonly<Record<Sort, string>> = {
  kinds: "Kinds",
  links: "Links",
  both: "Both",
};
const SORT_TITLES: Readonly<Record<Sort, string>> = {
  kinds: "What to repair to turn the response into the key",
  links: "Which mention should have been linked to which earlier one, and was not",
  both: "Two views of the same differences",
};

/** Counts the filters that are not as they are at the start. */
function activeCount(wish: Wish): number {
  const names = ["sort", "type", "distance", "shared", "whose", "where"] as const;
  const changed = names.filter((name) => wish[name] !== NO_WISH[name]).length;
  return changed + (wish.kinds.size ? 1 : 0);
}

function withCount(name: string, count: number): string {
  return `${name} (${written(count)})`;
}
