/** The panel of the entity in focus: its mentions on all sides, and its matrix. */

import { type Mark, marksOf, stripOf } from "./agreement";
import { colourOf } from "./colours";
import type { Data, Document } from "./data";
import { button, element } from "./elements";
import { drawEntities } from "./entities";
import { groupOf } from "./focusing";
import { KEY, sideOf } from "./layers";
import { focusOfError } from "./marks";
import { drawMatrix } from "./matrix";
import { type Cell, type Row, rowsOf } from "./rows";
import { sentenceExtents, sentenceOf } from "./slots";
import type { Focus, Store } from "./state";
import { sayGroup } from "./summaries";
import { counted, wordsOf } from "./words";

const MOST_ROWS = 300;
const lowered = (said: string) => said.charAt(0).toLowerCase() + said.slice(1);
const SIGNS: Readonly<Record<Mark, string>> = { right: "✓", wrong: "✗", absent: "–" };

export class FocusPanel {
  readonly #home: HTMLElement;
  readonly #data: Data;
  readonly #store: Store;
  #marks = new Map<string, (Mark | null)[]>();

  constructor(home: HTMLElement, data: Data, store: Store) {
    this.#home = home;
    this.#data = data;
    this.#store = store;
    home.classList.add("focus-panel");
    store.listen(() => this.#draw());
    this.#draw();
  }

  #draw(): void {
    const { state } = this.#store;
    const number = state.document;
    this.#home.hidden = number === null;
    if (number === null) return;
    const open = this.#data.document(number);
    const focus = state.focus ?? focusOfError(open, state);
    const side = focus && sideOf(open, focus.side === "key" ? KEY : focus.system);
    const isThere = focus && side?.entities[focus.entity]?.length;
    const parts = isThere ? this.#about(open, focus) : this.#waiting(open);
    this.#home.replaceChildren(...parts);
  }

  /** What stands here while no entity is in focus; without systems, all entities. */
  #waiting(open: Document): HTMLElement[] {
    if (this.#data.systems.length || !open.spans.length) return [hint(open)];
    const focus = (entity: number) =>
      this.#store.set({ focus: { side: "key", system: 0, entity } });
    return [drawEntities(open, focus)];
  }

  #about(open: Document, focus: Focus): HTMLElement[] {
    const { systems } = this.#store.state;
    const parts = [this.#head(open, focus)];
    for (const system of systems) {
      if (focus.side === "response" && focus.system !== system) continue;
      const said = sayGroup(open, focus, groupOf(open, system, focus)).join(" ");
      const name = element(
        "b",
        {},
        element("bdi", { text: this.#data.systems[system] ?? "" }),
      );
      parts.push(element("p", { class: "said" }, name, ": ", lowered(said)));
    }
    for (const system of systems) {
      const group = groupOf(open, system, focus);
      if (!group.responseEntities.length) continue;
      parts.push(
        drawMatrix(open, this.#data, group, (to) => this.#store.set({ focus: to })),
      );
    }
    parts.push(this.#mentions(open, focus));
    return parts;
  }

  #head(open: Document, focus: Focus): HTMLElement {
    const isKey = focus.side === "key";
    const system = isKey ? KEY : focus.system;
    const size = sideOf(open, system).entities[focus.entity]?.length ?? 0;
    const side = isKey ? this.#data.key : (this.#data.systems[focus.system] ?? "");
    const name = this.#data.systems.length ? element("bdi", { text: `${side} ` }) : "";
    const chip = element("span", {
      class: `chip ${isKey ? colourOf(focus.entity) : ""}`,
      text: `${focus.entity}`,
    });
    const title = element(
      "h3",
      {},
      name,
      "entity ",
      chip,
      `, ${counted(size, "mention")}`,
    );
    const close = button(
      "Let go",
      () => this.#store.set({ focus: null, error: null }),
      {
        class: "let-go",
        set: { title: "Escape" },
      },
    );
    return element("div", { class: "panel-head" }, title, close);
  }

  #mentions(open: Document, focus: Focus): HTMLElement {
    const { systems } = this.#store.state;
    const rows = rowsOf(open, systems, focus);
    const body = element("tbody");
    const sentences = sentenceExtents(open.sentences);
    const words = (span: number) => wordsOf(open, span);
    for (const row of rows.slice(0, MOST_ROWS)) {
      const sentence = sentenceOf(sentences, open.spans[row.span]?.first ?? 0) + 1;
      body.append(this.#row(open, row, sentence, words));
    }
    const heads = [
      this.#data.key,
      ...systems.map((one) => this.#data.systems[one] ?? ""),
    ];
    if (!this.#data.systems.length) heads.splice(0, 1, "mention");
    const names = heads.map((name) =>
      element("th", { set: { scope: "col" } }, element("bdi", { text: name })),
    );
    const strip = this.#hasStrip()
      ? [element("th", { text: "systems", set: { scope: "col" } })]
      : [];
    const left = rows.length - MOST_ROWS;
    const caption = `Mentions in the order of the text${left > 0 ? `; ${left} more are not listed` : ""}`;
    const table = element(
      "table",
      { class: "mentions" },
      element("caption", { text: caption }),
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          ...(sentences.length > 1
            ? [element("th", { text: "sentence", set: { scope: "col" } })]
            : []),
          ...names,
          ...strip,
        ),
      ),
      body,
    );
    return element("div", { class: "wide" }, table);
  }

  #row(
    open: Document,
    row: Row,
    sentence: number,
    words: (span: number) => string,
  ): HTMLElement {
    const text = words(row.span);
    const cells = row.cells.map((cell, at) => {
      const isKey = at === 0;
      const isSame = !isKey && cell.span === row.span && row.cells[0]?.entity !== 0;
      return this.#cell(
        open,
        cell,
        isSame ? "same" : cell.entity ? words(cell.span) : "",
      );
    });
    const strip = this.#hasStrip() ? [this.#strip(open, row, text)] : [];
    return element(
      "tr",
      { class: row.isOwn ? "is-own" : "" },
      ...(open.sentences.length > 1
        ? [element("th", { text: `${sentence}`, set: { scope: "row" } })]
        : []),
      ...cells,
      ...strip,
    );
  }

  #cell(open: Document, cell: Cell, text: string): HTMLElement {
    if (!cell.entity) return element("td", { class: "lacks", text: "–" });
    const { first = 0, last = 0 } = open.spans[cell.span] ?? {};
    const chip = element("span", {
      class: `chip ${colourOf(cell.keyEntity)}`,
      text: `${cell.entity}`,
    });
    const go = () => this.#store.set({ mention: `${first}-${last}` });
    const link = button("", go, {
      class: text === "same" ? "to-mention same" : "to-mention",
    });
    link.append(element("bdi", { text }));
    return element("td", {}, element("div", { class: "pair" }, chip, link));
  }

  #hasStrip(): boolean {
    return this.#data.systems.length > 1;
  }

  /** One mark a system: whether it has the mention, and in the entity that fits. */
  #strip(open: Document, row: Row, words: string): HTMLElement {
    const marks = this.#data.systems.map((_, system) => this.#marksOf(open, system));
    if (!row.cells[0]?.entity) return element("td");
    const strip = stripOf(marks, open, KEY, row.span);
    const said = strip
      .map((mark, at) => `${this.#data.systems[at]}: ${mark}`)
      .join(", ");
    const cell = element("td", { class: "mark-strip", set: { title: said } });
    cell.setAttribute("aria-label", `${words}: ${said}`);
    for (const mark of strip) {
      cell.append(element("span", { class: mark, text: SIGNS[mark] }));
    }
    return cell;
  }

  #marksOf(open: Document, system: number): (Mark | null)[] {
    const name = `${open.number}:${system}`;
    const known = this.#marks.get(name) ?? marksOf(open, system);
    this.#marks.set(name, known);
    return known;
  }
}

function hint(open: Document): HTMLElement {
  const what = open.spans.length
    ? "Point at a mention to see its entity on both sides. Click it, or press Enter, to keep it here; Escape lets go."
    : "This document has no mentions.";
  return element("p", { class: "hint", text: what });
}
