/** Draws the text of a document, a row for each sentence, in one column or in two. */

import type { Data, Document } from "./data";
import { element } from "./elements";
import { KEY, type Layer, layerOf, type Mention, nameOf } from "./layers";
import { type Drawn, drawSentence, lanesOf } from "./sentence";
import { type Extent, sentenceExtents } from "./slots";
import type { State } from "./state";
import { kindsAt, labelOf, wordsOf } from "./words";

/** The sides that each column shows: the text once, or twice side by side. */
export function columnsOf(view: State["view"], systems: readonly number[]): number[][] {
  if (view === "overlay" || !systems.length) return [[KEY, ...systems]];
  if (systems.length === 1) return [[KEY], [...systems]];
  return systems.map((system) => [KEY, system]);
}

export function drawText(
  open: Document,
  data: Data,
  state: State,
  isShown: (mention: Mention) => boolean,
): [HTMLElement, Drawn] {
  const text = element("div", { class: "text" });
  const drawn: Drawn = { pieces: new Map(), tokens: new Map() };
  const sentences = sentenceExtents(open.sentences);
  const columns = columnsOf(state.view, state.systems).map((sides) =>
    sides.map((system) => layerOf(open, system, sentences, isShown)),
  );
  text.dataset.columns = `${columns.length}`;
  if (!open.hasWords) text.classList.add("wordless");
  text.append(
    ...sentences.map((extent, number) => drawRow(open, columns, number, extent, drawn)),
  );
  labelMentions(open, data, state, columns.flat(), drawn);
  return [text, drawn];
}

function drawRow(
  open: Document,
  columns: readonly (readonly Layer[])[],
  number: number,
  extent: Extent,
  drawn: Drawn,
): HTMLElement {
  const row = element(
    "div",
    { class: "row", set: { role: "group", "aria-label": `sentence ${number + 1}` } },
    element("span", {
      class: "number",
      set: { "aria-hidden": "true", "data-number": number + 1 },
    }),
    ...columns.map((layers) => drawSentence(open, layers, number, extent, drawn)),
  );
  // Columns have the same room, so that their lines stand side by side.
  const room = (side: string) =>
    Math.max(...columns.map((layers) => lanesOf(layers, side, number)));
  row.style.setProperty("--above", `${room("response")}`);
  row.style.setProperty("--below", `${room("key")}`);
  return row;
}

/** Makes the first piece of each mention something that keys and readers reach. */
function labelMentions(
  open: Document,
  data: Data,
  state: State,
  layers: readonly Layer[],
  drawn: Drawn,
): void {
  const given = {
    key: data.key,
    systems: data.systems,
    shown: state.systems,
    kinds: open.responses.map((response, system) =>
      kindsAt(state.systems.includes(system) ? response.errors : []),
    ),
  };
  for (const mention of layers.flatMap((layer) => layer.mentions)) {
    const { number } = mention.span;
    const words = wordsOf(open, number);
    const label = labelOf(open, mention, { ...given, words });
    for (const piece of drawn.pieces.get(nameOf(mention.system, number)) ?? []) {
      if (!piece.classList.contains("first")) continue;
      piece.setAttribute("role", "button");
      piece.setAttribute("aria-label", label);
      piece.setAttribute("aria-pressed", "false");
      piece.tabIndex = -1;
    }
  }
}
