/** The keys, and what they do. */

import type { Data } from "./data";
import { button, element } from "./elements";

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["n, p", "next and previous error, through all documents"],
  ["j, k", "next and previous document"],
  ["d", "table of documents"],
  ["/", "search in all documents"],
  ["1 to 9", "show or hide a system, two at most"],
  ["v", "layers on one text, or two columns"],
  ["Tab, arrow keys", "go through mentions, errors, documents and results"],
  ["Enter", "open a document or an error, or keep an entity in focus"],
  ["Escape", "let go of the entity or error, close search and help"],
  ["?", "this help"],
];

/** A window over the page, which Escape closes. */
export class Help {
  readonly element: HTMLDialogElement;
  readonly #areOn: HTMLInputElement;

  constructor(data: Data) {
    const left = new Set([
      ...(data.hasErrors ? [] : ["n, p"]),
      ...(data.systems.length ? [] : ["v"]),
      ...(data.systems.length > 1 ? [] : ["1 to 9"]),
      ...(data.ids.length > 1 ? [] : ["j, k", "d"]),
    ]);
    const rows = KEYS.filter(([keys]) => !left.has(keys)).map(([keys, does]) =>
      element(
        "tr",
        {},
        element("th", { set: { scope: "row" } }, ...keyNames(keys)),
        element("td", {}, does),
      ),
    );
    this.#areOn = element("input", { set: { type: "checkbox", checked: "" } });
    this.element = element(
      "dialog",
      { class: "reader-help", set: { "aria-label": "Keys" } },
      element(
        "table",
        {},
        element("caption", {}, "Keys"),
        element("tbody", {}, ...rows),
      ),
      element("label", {}, this.#areOn, " Letters and digits do this"),
      button("Close", () => this.element.close()),
    );
  }

  /** Whether keys without Control and the like do something: people can turn it off. */
  get keysAreOn(): boolean {
    return this.#areOn.checked;
  }

  open(): void {
    if (!this.element.open) this.element.showModal();
  }
}

function keyNames(keys: string): (Node | string)[] {
  return keys
    .split(", ")
    .flatMap((name, at) => [...(at ? [" "] : []), element("kbd", {}, name)]);
}
