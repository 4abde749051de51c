/**
 * Search over all documents, on their data: find-in-page sees the open one only. Case
 * does not matter; a query of several words is found across tokens.
 */

import { type Data, tokensOf } from "./data";
import { visible } from "./document_view";
import { button, element } from "./elements";
import { counted, cut, written } from "./error_text";
import { scrollerOf } from "./reader";
import { fragmentOf, START, type Store } from "./state";
import { WindowedRows } from "./window_list";

const WAIT = 120; // milliseconds after a letter
const AROUND = 8; // tokens before and after what was found

export class SearchView {
  /** The box, for the toolbar. */
  readonly box: HTMLInputElement;
  /** What was found. */
  readonly element: HTMLElement;
  readonly #data: Data;
  readonly #store: Store;
  readonly #search: (query: string) => Found;
  readonly #say: (text: string) => void;
  readonly #about: HTMLElement;
  readonly #rows: WindowedRows;
  #found: Found = { query: "", documents: [], places: [], count: 0 };
  #timer = 0;

  constructor(data: Data, store: Store, say: (text: string) => void) {
    this.#data = data;
    this.#store = store;
    this.#say = say;
    this.#search = makeSearch(data);
    const place = data.ids.length > 1 ? "all documents" : "the text";
    const name = `Search ${place}`;
    this.box = element("input", {
      set: { type: "search", placeholder: name, "aria-label": name },
    });
    this.box.addEventListener("input", () => this.#wait());
    this.box.addEventListener("keydown", (event) => this.#key(event));
    this.#about = element("h3", {});
    const body = element("ol");
    const scroller = scrollerOf("Search results", body);
    const close = button("Close", () => this.close(), { class: "quiet" });
    const top = element("div", { class: "top" }, this.#about, close);
    this.element = element(
      "section",
      { class: "found", set: { hidden: "" } },
      top,
      scroller,
    );
    this.#rows = new WindowedRows({
      scroller,
      body,
      draw: (row) => this.#row(row),
      spacer: () => element("li", { class: "spacer", set: { "aria-hidden": "true" } }),
    });
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  open(): void {
    this.box.focus();
    this.box.select();
  }

  close(): void {
    const hadFocus = this.element.contains(document.activeElement);
    this.box.value = "";
    this.#show("");
    if (hadFocus) this.box.focus();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#show(this.box.value), WAIT);
  }

  #show(query: string): void {
    clearTimeout(this.#timer);
    this.#found = this.#search(query);
    const { documents, places } = this.#found;
    this.element.hidden = !this.#found.query;
    if (this.element.hidden) return;
    const about = describe(this.#found);
    this.#about.textContent = about;
    this.#say(about);
    this.#rows.show(documents.length + places.length);
  }

  #key(event: KeyboardEvent): void {
    if (event.key !== "Enter" && event.key !== "ArrowDown") return;
    if (!this.box.value.trim()) return;
    event.preventDefault();
    this.#show(this.box.value);
    this.#rows.focus(0);
  }

  #row(row: number): HTMLElement {
    const { documents, places } = this.#found;
    const count = documents.length + places.length;
    const place = places[row - documents.length];
    const document = place ? place.document : (documents[row] ?? 0);
    const id = this.#data.titles[document] ?? "";
    const mention = place ? `${place.first}-${place.last}` : null;
    const { systems, view } = this.#store.state;
    const state = { ...START, document, mention, systems, view };
    const href = `#${fragmentOf(state, this.#data.ids)}`;
    const what = place
      ? snippet(this.#data, place)
      : element("span", { class: "what" }, "document");
    const where = place ? `${cut(id, 60)}, sentence ${place.sentence + 1}` : id;
    return element(
      "li",
      { set: { "aria-setsize": count, "aria-posinset": row + 1 } },
      element(
        "a",
        { set: { href } },
        what,
        element("span", { class: "where", set: { dir: "auto" } }, where),
      ),
    );
  }
}

/** Says how much was found. */
export function describe(found: Found): string {
  const { documents, count } = found;
  const places = counted(count, "place");
  const most = written(MOST_PLACES);
  const first = count > MOST_PLACES ? `, of which the first ${most} are listed` : "";
  const names = documents.length
    ? ` and ${counted(documents.length, "document id")}`
    : "";
  return `Found: ${places}${first}${names}`;
}

/** Writes what was found among the words around it. */
function snippet(data: Data, place: FoundPlace): HTMLElement {
  const { text } = data.encoded(place.document);
  const tokens = tokensOf(text[place.sentence] ?? "").map(visible);
  const start = sentenceStarts(data, place.document)[place.sentence] ?? 0;
  const [first, last] = [place.first - start, place.last - start];
  const from = Math.max(0, first - AROUND);
  const to = Math.min(tokens.length, last + 1 + AROUND);
  const before = `${from ? "… " : ""}${tokens.slice(from, first).join(" ")} `;
  const after = ` ${tokens.slice(last + 1, to).join(" ")}${to < tokens.length ? " …" : ""}`;
  const words = tokens.slice(first, last + 1).join(" ");
  return element(
    "span",
    { class: "what", set: { dir: "auto" } },
    before,
    element("mark", {}, words),
    after,
  );
}

/** The number of places that are listed; more are counted. */
export const MOST_PLACES = 5000;

export interface FoundPlace {
  readonly document: number;
  readonly sentence: number;
  /** Tokens of the document. */
  readonly first: number;
  readonly last: number;
}

export interface Found {
  /** The query without blanks at its ends; nothing is searched for if it is empty. */
  readonly query: string;
  /** Documents whose id has the query. */
  readonly documents: readonly number[];
  /** Places in texts, in the order of documents. */
  readonly places: readonly FoundPlace[];
  /** The number of all places, of which `places` are the first. */
  readonly count: number;
}

/** Makes two spellings of the same letters equal. */
export function folded(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** Makes a search through documents; their texts are prepared once, at the first one. */
export function makeSearch(data: Data): (query: string) => Found {
  let texts: string[][] | null = null;
  return (query) => {
    texts ??= data.ids.map((_, number) => foldedSentences(data, number));
    return search(data, texts, query);
  };
}

function foldedSentences(data: Data, document: number): string[] {
  return data
    .encoded(document)
    .text.map((sentence) =>
      folded(typeof sentence === "string" ? sentence : sentence.join(" ")),
    );
}

function search(
  data: Data,
  texts: readonly (readonly string[])[],
  query: string,
): Found {
  const asked = folded(query).trim().replace(/\s+/gu, " ");
  const places: FoundPlace[] = [];
  let count = 0;
  if (!asked) return { query: asked, documents: [], places, count };
  const documents = [...data.ids.keys()].filter((number) =>
    folded(data.ids[number] ?? "").includes(asked),
  );
  texts.forEach((sentences, document) => {
    let starts: number[] | null = null;
    sentences.forEach((text, sentence) => {
      for (let at = text.indexOf(asked); at >= 0; at = text.indexOf(asked, at + 1)) {
        count += 1;
        if (places.length >= MOST_PLACES) continue;
        starts ??= sentenceStarts(data, document);
        const tokens = tokensOf(data.encoded(document).text[sentence] ?? "");
        const [first, last] = tokenRange(tokens, at, asked.length);
        const start = starts[sentence] ?? 0;
        places.push({ document, sentence, first: start + first, last: start + last });
      }
    });
  });
  return { query: asked, documents, places, count };
}

/** Lists the first token of each sentence of a document. */
export function sentenceStarts(data: Data, document: number): number[] {
  let start = 0;
  return data.encoded(document).text.map((sentence) => {
    const first = start;
    start += tokensOf(sentence).length;
    return first;
  });
}

/** Finds the tokens of a sentence on which some of its letters are, after folding. */
export function tokenRange(
  tokens: readonly string[],
  start: number,
  length: number,
): [number, number] {
  let first = 0;
  let last = 0;
  let place = 0;
  tokens.forEach((token, number) => {
    if (place <= start) first = number;
    if (place < start + length) last = number;
    place += folded(token).length + 1;
  });
  return [first, last];
}
