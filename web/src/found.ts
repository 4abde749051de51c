/** The search box, and the list of what was found. */

import { scrollerOf } from "./controls";
import { type Data, tokensOf } from "./data";
import { button, element } from "./elements";
import { cut } from "./said";
import {
  type Found,
  type FoundPlace,
  MOST_PLACES,
  makeSearch,
  sentenceStarts,
} from "./search";
import { fragmentOf, START, type Store } from "./state";
import { visible } from "./visible";
import { WindowedRows } from "./windowed";
import { counted, written } from "./words";

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
