/** Says above the text what its lines mean, and switches singletons. */

import type { Data, Document } from "./data";
import { KEY, mentionsOf } from "./document_view";
import { element } from "./elements";
import { counted, listed } from "./error_text";
import type { State } from "./state";

const COLOURS = 12;
const VARIANTS = 3;

/** The classes of an entity of the key; of none, for 0. */
export function colourOf(keyEntity: number): string {
  if (keyEntity <= 0) return "none";
  const number = keyEntity - 1;
  const variant = Math.floor(number / COLOURS) % VARIANTS;
  return variant ? `c${number % COLOURS} shade${variant}` : `c${number % COLOURS}`;
}

const MOST_NAMED = 4; // systems

export interface Singletons {
  readonly count: number;
  readonly areShown: boolean;
  readonly toggle: (shown: boolean) => void;
}

export function drawLegend(
  open: Document,
  data: Data,
  state: State,
  singletons: Singletons,
): HTMLElement {
  const legend = element("div", { class: "layer-legend" });
  if (state.view === "text") {
    legend.append(...listHighlights(open, data, state));
    if (singletons.count) legend.append(toggle(singletons));
    legend.append(...listLacking(open, data, state));
    return legend;
  }
  const names = state.systems.map((system) => data.systems[system] ?? "");
  if (names.length > 1 && state.view === "beside") {
    legend.append(item("systems", "above the text", "response0"));
  } else {
    for (const [at, name] of [...names.entries()].reverse()) {
      const place = at === 1 ? "above, further out" : "above the text";
      legend.append(item(name, place, `response${at}`));
    }
  }
  if (names.length) legend.append(item(data.key, "below the text", "key"));
  const sides = [KEY, ...state.systems];
  const mentions = sides.flatMap((system) => mentionsOf(open, system));
  if (mentions.some((mention) => !mention.keyEntity)) {
    legend.append(item(`not in ${data.key}`, "", "none"));
  }
  if (mentions.some((mention) => mention.span.parts.length > 1)) {
    legend.append(item("gap", "", "gap"));
  }
  if (singletons.count) legend.append(toggle(singletons));
  if (names.length) legend.append(numbersNote(data));
  legend.append(...listLacking(open, data, state));
  return legend;
}

/** What the highlights of running text mean. */
function listHighlights(open: Document, data: Data, state: State): HTMLElement[] {
  if (!open.spans.length) return [];
  const same = data.systems.length ? `entity of the ${data.key}` : "entity";
  const items = [item(`one colour: one ${same}`, "", "highlight")];
  if (!state.systems.length) return items;
  const systems = listed(state.systems.map((system) => data.systems[system] ?? ""));
  items.push(
    item("in a wrong entity", `(${systems})`, "wrong"),
    item("missing", "", "absent"),
    item(`not in the ${data.key}`, "", "extra"),
  );
  return items;
}

function listLacking(open: Document, data: Data, state: State): HTMLElement[] {
  const missing = state.systems.filter((system) => open.responses[system]?.isMissing);
  if (!missing.length) return [];
  const lacking = listed(missing.map((system) => data.systems[system] ?? ""));
  const verb = missing.length === 1 ? "lacks" : "lack";
  return [
    element("p", { class: "lacking", text: `${lacking} ${verb} this document.` }),
  ];
}

/** Says what numbers, colours and marks are: 1 above is not 1 below. */
function numbersNote(data: Data): HTMLElement {
  const numbers = `Each side numbers its own entities: 1 above need not be 1 below. One colour is one entity of the ${data.key}, on all sides.`;
  const marks =
    data.systems.length > 1
      ? ` In focus, each system has a mark: ✓ right, ✗ in a wrong entity, – absent${systemsInOrder(data)}.`
      : "";
  return element("p", { class: "layer-note", text: numbers + marks });
}

function systemsInOrder(data: Data): string {
  return data.systems.length <= MOST_NAMED ? ` (${data.systems.join(", ")})` : "";
}

function item(name: string, place: string, kind: string): HTMLElement {
  const made = element("span", { class: "layer-sign" });
  made.append(
    element("i", { class: `layer-sample of-${kind}`, set: { "aria-hidden": "true" } }),
  );
  made.append(element("bdi", { text: name }));
  if (place) made.append(element("small", { text: ` ${place}` }));
  return made;
}

function toggle(singletons: Singletons): HTMLElement {
  const box = element("input");
  box.type = "checkbox";
  box.checked = singletons.areShown;
  box.addEventListener("change", () => singletons.toggle(box.checked));
  const sample = element("i", {
    class: "layer-sample of-single",
    set: { "aria-hidden": "true" },
  });
  return element(
    "label",
    { class: "layer-sign" },
    box,
    sample,
    counted(singletons.count, "singleton"),
    element("small", { text: " entities of one mention" }),
  );
}

/** Names the columns, where there are two. */
export function drawHeads(
  data: Data,
  columns: readonly (readonly number[])[],
): HTMLElement[] {
  if (columns.length < 2) return [];
  const name = (system: number) =>
    system === KEY ? data.key : (data.systems[system] ?? "");
  const heads = columns.map((sides) =>
    element("bdi", { text: name(sides.at(-1) ?? KEY) }),
  );
  return [element("div", { class: "heads" }, ...heads)];
}
