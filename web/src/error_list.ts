/** The list of errors, with filters; going through them one after the other. */

import { type Data, type EncodedDocument, type ShownError, tokensOf } from "./data";
import { visible } from "./document_view";
import { button, element } from "./elements";
import { errorOf, OF_RESPONSE } from "./error_arrows";
import {
  aboutError,
  counted,
  details,
  explained,
  kindName,
  listed,
  written,
} from "./error_text";
import { choices, group, press, scrollerOf, setOptions, stepOptions } from "./reader";
import {
  fragmentOf,
  isOtherError,
  type State,
  type Store,
  systemOfError,
} from "./state";
import { WindowedRows } from "./window_list";

/** What somebody chose: for each facet the values that are let through, null for all. */
export type Choice = Readonly<Record<Facet, ReadonlySet<number> | null>>;

export const EVERYTHING: Choice = {
  kind: null,
  type: null,
  system: null,
  distance: null,
  shared: null,
};

export interface Filtered {
  /** The rows of all documents that were let through, in the order of documents. */
  readonly rows: Int32Array;
  /** Those of them that are in the documents asked for. */
  readonly listed: Int32Array;
  /** For each value of a facet, how many would be listed if it alone were chosen. */
  readonly counts: Readonly<Record<Facet, Uint32Array>>;
  /** How many rows of each document were let through. */
  readonly documents: Uint32Array;
}

/**
 * Filters errors, and counts them.
 *
 * @param order the documents, in the order in which people go through them.
 * @param asked the document whose errors are listed; null for all.
 * @param worst where the worst come first: in each document, in all together, or not.
 */
export function filtered(
  rows: ErrorRows,
  choice: Choice,
  order: readonly number[],
  asked: number | null,
  worst: "document" | "all" | "none" = "none",
): Filtered {
  const passed: number[] = [];
  const listed: number[] = [];
  const counts = emptyCounts(rows);
  const documents = new Uint32Array(rows.starts.length - 1);
  for (const document of order) {
    const end = rows.starts[document + 1] ?? 0;
    const counted = new Map<Facet, number>(); // the last group counted for each facet
    const own: number[] = [];
    for (let row = rows.starts[document] ?? 0; row < end; row++) {
      const failed = failedFacets(rows, choice, row);
      const isAsked = asked === null || asked === document;
      if (isAsked) count(rows, row, failed, counts, counted);
      // The same error of another system is not listed again.
      const group = rows.group[row] ?? row;
      if (failed.length || rows.group[own.at(-1) ?? -1] === group) continue;
      own.push(row);
    }
    if (worst !== "none") sortByCost(rows, own);
    documents[document] = own.length;
    passed.push(...own);
    if (asked === null || asked === document) listed.push(...own);
  }
  if (worst === "all") sortByCost(rows, listed);
  return {
    rows: Int32Array.from(passed),
    listed: Int32Array.from(listed),
    counts,
    documents,
  };
}

function sortByCost(rows: ErrorRows, numbers: number[]): void {
  numbers.sort((a, b) => (rows.cost[b] ?? 0) - (rows.cost[a] ?? 0));
}

const NOTHING: readonly Facet[] = [];

/** Lists the facets that keep a row out. */
function failedFacets(rows: ErrorRows, choice: Choice, row: number): readonly Facet[] {
  let failed: Facet[] | null = null;
  for (const facet of FACETS) {
    const chosen = choice[facet];
    if (chosen && !chosen.has(rows.facets[facet][row] ?? 0)) {
      failed ??= [];
      failed.push(facet);
    }
  }
  return failed ?? NOTHING;
}

/**
 * Counts a row for each facet that would let it through if another value were chosen.
 * An error that several systems make is counted once, but for each of the systems.
 */
function count(
  rows: ErrorRows,
  row: number,
  failed: readonly Facet[],
  counts: Record<Facet, Uint32Array>,
  counted: Map<Facet, number>,
): void {
  if (failed.length > 1) return;
  const group = rows.group[row] ?? row;
  for (const facet of failed.length ? failed : FACETS) {
    if (facet !== "system" && counted.get(facet) === group) continue;
    counted.set(facet, group);
    const value = rows.facets[facet][row] ?? 0;
    const of = counts[facet];
    of[value] = (of[value] ?? 0) + 1;
  }
}

function emptyCounts(rows: ErrorRows): Record<Facet, Uint32Array> {
  const counts = (facet: Facet): Uint32Array =>
    new Uint32Array(rows.labels[facet].length);
  return {
    kind: counts("kind"),
    type: counts("type"),
    system: counts("system"),
    distance: counts("distance"),
    shared: counts("shared"),
  };
}

/** Where somebody is: at an error, or in a document; null outside all of them. */
export interface Place {
  readonly row: number | null;
  readonly document: number | null;
}

/**
 * Finds the next or previous error, by its place in `passed`; null after the last one.
 * An error that is not let through, or a document in which no error is chosen, is a
 * place between errors.
 */
export function step(
  rows: ErrorRows,
  passed: Int32Array,
  order: readonly number[],
  place: Place,
  direction: 1 | -1,
): number | null {
  const rank = new Map(order.map((document, at) => [document, at]));
  const rankOf = (document: number): number => rank.get(document) ?? -1;
  const at = place.row === null ? -1 : passed.indexOf(place.row);
  let next: number;
  if (at >= 0) next = at + direction;
  else if (place.document === null) next = direction > 0 ? 0 : passed.length - 1;
  else {
    const here = rankOf(place.document);
    const isAfter = (row: number): boolean => {
      const other = rankOf(rows.document[row] ?? 0);
      return other > here || (other === here && row >= (place.row ?? 0));
    };
    const after = passed.findIndex(isAfter);
    const first = after < 0 ? passed.length : after;
    next = direction > 0 ? first : first - 1;
  }
  return next >= 0 && next < passed.length ? next : null;
}

/** Shows a system without moving the others; it takes the last place of two. */
export function including(systems: readonly number[], system: number): number[] {
  if (systems.includes(system)) return [...systems];
  return systems.length < 2 ? [system] : [...systems.slice(0, -1), system];
}

/** Switches a system on or off. One stays on; a third takes the place of the older. */
export function toggled(systems: readonly number[], system: number): number[] {
  if (!systems.includes(system)) return [...systems, system].slice(-2);
  return systems.length > 1 ? systems.filter((one) => one !== system) : [...systems];
}

/** Draws the card; `position` says which of the errors it is, as in `, 3 of 39`. */
export function drawCard(
  card: HTMLElement,
  data: Data,
  store: Store,
  position: string,
): void {
  const { state } = store;
  const { document, error: id } = state;
  card.hidden = document === null || id === null;
  if (document === null || id === null) return;
  const system = systemOfError(state);
  const name = data.systems[system] ?? "";
  const shown = data.document(document);
  const error = errorOf(shown, state);
  const close = button("×", () => store.set({ error: null }), {
    class: "quiet",
    set: { "aria-label": "Let go of the error" },
  });
  if (!error) {
    const missing = `${name} has no error ${visible(id)} in this document.`;
    card.replaceChildren(
      element("h4", { text: "No such error" }),
      close,
      element("p", { text: missing }),
    );
    return;
  }
  const said = explained(error, shown, { system, name, key: data.key });
  card.replaceChildren(
    element("h4", { text: `${kindName(error.kind)}${position}` }),
    close,
    element("p", { text: said, set: { dir: "auto" } }),
    element("p", { class: "note", text: details(error, data, document).join(", ") }),
  );
}

/** What is said when the card shows another error. */
export function saidOn(card: HTMLElement): string {
  const [kind, said] = [...card.querySelectorAll("h4, p")];
  return `${kind?.textContent ?? ""}. ${said?.textContent ?? ""}`;
}

/** What errors are filtered by, beside their document. */
export const FACETS = ["kind", "type", "system", "distance", "shared"] as const;
export type Facet = (typeof FACETS)[number];

/** A row is an error of one system; all columns have one number for each row. */
export interface ErrorRows {
  readonly count: number;
  /** The first row of each document, and the number of rows at the end. */
  readonly starts: Int32Array;
  readonly document: Int32Array;
  /** Its place in the errors of its system and document. */
  readonly place: Int32Array;
  /** The first row with the same error, which may be of another system. */
  readonly group: Int32Array;
  /** How many pairs of mentions it links wrongly or leaves unlinked. */
  readonly cost: Float64Array;
  /** For each facet the number of its value, a place in `labels`. */
  readonly facets: Readonly<Record<Facet, Uint16Array>>;
  /** What the values of each facet are called. */
  readonly labels: Readonly<Record<Facet, readonly string[]>>;
}

/** The kinds that are links: the other view of the same differences. */
export const LINKS: ReadonlySet<string> = new Set(["recall", "precision"]);

// The first distance of each class, as `corefkit errors --links` has them.
const SENTENCES = [0, 1, 2, 3, 6];
const TOKENS = [0, 10, 20, 50, 100];
const DISTANCES = [
  "no link",
  "same sentence",
  "1 sentence",
  "2 sentences",
  "3 to 5 sentences",
  "6 or more sentences",
  "0 to 9 tokens",
  "10 to 19 tokens",
  "20 to 49 tokens",
  "50 to 99 tokens",
  "100 or more tokens",
  "not known",
];
const SHARED = ["only one system", "several systems", "every system"];
const LONGEST_SENTENCE = 250; // tokens; a document of one longer one has none marked

/** Says whether distances of a document are in sentences, or else in tokens. */
export function hasSentences(document: EncodedDocument): boolean {
  if (document.wordless) return false;
  if (document.text.length !== 1) return true;
  return tokensOf(document.text[0] ?? []).length <= LONGEST_SENTENCE;
}

/** Says in which class a distance is, a place in the labels of the facet. */
export function distanceClass(distance: number, inSentences: boolean): number {
  if (distance < 0) return DISTANCES.length - 1;
  const starts = inSentences ? SENTENCES : TOKENS;
  const classes = starts.filter((start) => start <= distance).length;
  return inSentences ? classes : SENTENCES.length + classes;
}

/** Says who makes an error: one system, several, or every one. */
export function sharedClass(madeBy: number, systems: number): number {
  if (madeBy <= 1) return 0;
  return madeBy < systems ? 1 : 2;
}

interface Row {
  readonly system: number;
  readonly place: number;
  readonly span: number;
  /** The same for the same error of several systems. */
  readonly name: string;
  readonly cost: number;
  readonly facets: readonly number[]; // in the order of FACETS
}

/** Lists the errors of all documents. */
export function errorRows(data: Data): ErrorRows {
  const starts = new Int32Array(data.ids.length + 1);
  const lists = data.ids.map((_, number) => {
    const rows = rowsOf(data.encoded(number), data.systems.length, data.kinds);
    starts[number + 1] = (starts[number] ?? 0) + rows.length;
    return rows;
  });
  const count = starts[data.ids.length] ?? 0;
  const document = new Int32Array(count);
  const place = new Int32Array(count);
  const group = new Int32Array(count);
  const cost = new Float64Array(count);
  const columns = FACETS.map(() => new Uint16Array(count));
  lists.forEach((rows, number) => {
    rows.forEach((row, at) => {
      const to = (starts[number] ?? 0) + at;
      document[to] = number;
      place[to] = row.place;
      cost[to] = row.cost;
      const isSame = at > 0 && rows[at - 1]?.name === row.name;
      group[to] = isSame ? (group[to - 1] ?? to) : to;
      columns.forEach((column, facet) => {
        column[to] = row.facets[facet] ?? 0;
      });
    });
  });
  const [kind, type, system, distance, shared] = columns as Uint16Array[];
  return {
    count,
    starts,
    document,
    place,
    group,
    cost,
    facets: { kind, type, system, distance, shared } as Record<Facet, Uint16Array>,
    labels: {
      kind: data.kinds,
      type: data.types.map((name) => name || "not known"),
      system: data.systems,
      distance: DISTANCES,
      shared: SHARED,
    },
  };
}

/** Lists the errors of a document: by place in the text, then by kind, then by system. */
function rowsOf(
  document: EncodedDocument,
  systems: number,
  kinds: readonly string[],
): Row[] {
  const inSentences = hasSentences(document);
  const rows: Row[] = [];
  const keySizes = sizesOf(document.key);
  (document.responses ?? []).forEach((response, system) => {
    const errors = response.errors ?? [];
    const sizes = sizesOf(response.entities);
    errors.forEach(([kind = 0, type = 0, madeBy = 1, entity = 0, ...spans], place) => {
      const facets = [kind, type, system, 0, sharedClass(madeBy, systems)];
      const [span = 0] = spans;
      // Systems can make an error with the same mentions for different reasons.
      const name = madeBy > 1 ? `${kind}:${spans}` : `${kind}:${spans}:${system}`;
      const kindName = kinds[kind] ?? "";
      const size = (OF_RESPONSE.has(kindName) ? sizes : keySizes).get(entity) ?? 0;
      const cost = countLinks(kindName, spans.length, size);
      rows.push({ system, place, span, name, cost, facets });
    });
    (response.links ?? []).forEach((link, at) => {
      const [kind = 0, type = 0, madeBy = 1, span = 0, other = 0, distance = -1] = link;
      const apart = distanceClass(distance, inSentences);
      const facets = [kind, type, system, apart, sharedClass(madeBy, systems)];
      const pair = `${kind}:${span}:${other}`;
      const name = madeBy > 1 ? pair : `${pair}:${system}`;
      const cost = (link[6] ?? 2) - 1; // a mention more or less in an entity so large
      rows.push({ system, place: errors.length + at, span, name, cost, facets });
    });
  });
  const kindOf = (row: Row): number => row.facets[0] ?? 0;
  return rows.sort(
    (one, other) =>
      one.span - other.span ||
      kindOf(one) - kindOf(other) ||
      compareNames(one.name, other.name) ||
      one.system - other.system ||
      one.place - other.place,
  );
}

function compareNames(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** How many mentions each entity has. */
function sizesOf(entities: readonly number[] = []): Map<number, number> {
  const sizes = new Map<number, number>();
  for (const entity of entities) sizes.set(entity, (sizes.get(entity) ?? 0) + 1);
  return sizes;
}

/**
 * Counts the pairs of mentions that an error links wrongly or leaves unlinked.
 *
 * @param mentions how many mentions it is about.
 * @param size how many mentions their entity has.
 */
export function countLinks(kind: string, mentions: number, size: number): number {
  switch (kind) {
    case "span":
      return 0;
    case "extra_mention":
    case "missing_mention":
      return Math.max(size - 1, 0);
    case "extra_entity":
    case "missing_entity":
      return (mentions * (mentions - 1)) / 2;
    default:
      return mentions * Math.max(size - mentions, 0);
  }
}

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
  readonly order: ErrorOrder;
}

/** Those that cost most first, or by their places in the text. */
export type ErrorOrder = "worst" | "text";

export const NO_WISH: Wish = {
  sort: "kinds",
  kinds: new Set(),
  type: null,
  distance: null,
  shared: null,
  whose: "shown",
  where: "open",
  order: "worst",
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
  Record<
    "order" | "type" | "distance" | "shared" | "whose" | "where",
    ReturnType<typeof choices>
  >
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
    setOptions(this.#selects.order.select, ORDERS, this.#wish.order);
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
      order: choices("Order", (value) => this.set({ order: value as ErrorOrder })),
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

const ORDERS = [
  ["worst", "worst first"],
  ["text", "order of the text"],
] as const;

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
    const worst =
      wish.order === "text" ? "none" : wish.where === "all" ? "all" : "document";
    return filtered(this.#errors, choice, this.#order(), asked, worst);
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

  #stateOf(listedRow: number): State {
    const { state } = this.#store;
    // A system that is shown already, if it makes the error.
    const row =
      this.#sameErrors(listedRow).find((same) =>
        state.systems.includes(this.#errors.facets.system[same] ?? 0),
      ) ?? listedRow;
    const { error, document, system } = this.#error(row);
    const systems = including(state.systems, system);
    const rest = { error: error.id, by: system, focus: null, mention: null };
    return { ...state, document, systems, ...rest };
  }

  #current(): ShownError | null {
    const { state } = this.#store;
    if (state.document === null) return null;
    return errorOf(this.#data.document(state.document), state);
  }

  /** Finds the row of the error that is shown. */
  #currentRow(): number | null {
    const current = this.#current();
    const { document } = this.#store.state;
    if (!current || document === null) return null;
    const system = systemOfError(this.#store.state);
    const errors = this.#data.document(document).responses[system]?.errors ?? [];
    const place = errors.indexOf(current);
    const { starts, facets } = this.#errors;
    for (let row = starts[document] ?? 0; row < (starts[document + 1] ?? 0); row++) {
      if (this.#errors.place[row] === place && facets.system[row] === system)
        return this.#representative(row);
    }
    return null;
  }

  /** The row that is listed for an error, which may be that of another system. */
  #representative(row: number): number {
    const isListed = (same: number): boolean => this.#found.rows.includes(same);
    return this.#sameErrors(row).find(isListed) ?? row;
  }

  /** The rows of an error, one for each system that makes it. */
  #sameErrors(row: number): number[] {
    const { group } = this.#errors;
    const rows: number[] = [];
    for (let same = group[row] ?? row; group[same] === group[row]; same++) {
      rows.push(same);
      if (same >= this.#errors.count) break;
    }
    return rows;
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

  #describeCost(row: number): string[] {
    const cost = this.#errors.cost[row] ?? 0;
    const isLink = LINKS.has(
      this.#data.kinds[this.#errors.facets.kind[row] ?? 0] ?? "",
    );
    return isLink || cost < 1 ? [] : [counted(cost, "link")];
  }

  #nameMakers(row: number, system: number): string {
    const names = this.#sameErrors(row).map(
      (same) => this.#data.systems[this.#errors.facets.system[same] ?? system] ?? "",
    );
    return names.length < 4 ? listed(names) : `${names.length} systems`;
  }

  #row(at: number): HTMLElement {
    const row = this.#found.listed[at] ?? 0;
    const { error, document, system } = this.#error(row);
    const state = this.#stateOf(row);
    const about = aboutError(error, this.#data.document(document));
    const where = [
      ...(this.#hasSeveral() ? [this.#nameMakers(row, system)] : []),
      ...(this.#store.state.document === document
        ? []
        : [this.#data.titles[document] ?? ""]),
      ...this.#describeCost(row),
      ...details(error, this.#data, document, this.#hasSeveral()).slice(0, 2),
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
