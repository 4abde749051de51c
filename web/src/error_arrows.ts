/**
 * Draws the error that is shown, and only that one: brackets at its mentions, and one
 * line to the mention that they should be linked with, or should not be.
 *
 * The line runs between the lines of the text and along its edge, never through words.
 */

import type { Document, ShownError } from "./data";
import { type Drawn, KEY, nameOf, sideOf } from "./document_view";
import { kindInWords } from "./error_text";
import { type Focus, type State, systemOfError } from "./state";

export const OF_RESPONSE: ReadonlySet<string> = new Set([
  "conflated",
  "extra_mention",
  "extra_entity",
  "precision",
]);

/** The error that the state asks for. */
export function errorOf(document: Document, state: State): ShownError | null {
  if (state.error === null) return null;
  const errors = document.responses[systemOfError(state)]?.errors ?? [];
  return errors.find((error) => error.id === state.error) ?? null;
}

/** The side whose entity an error is about; -1 for the key. */
function sideOfError(error: ShownError, system: number): number {
  return OF_RESPONSE.has(error.kind) ? system : KEY;
}

/** The entity that an error is about, which is in focus while nothing else is. */
export function focusOfError(document: Document, state: State): Focus | null {
  const error = errorOf(document, state);
  if (!error) return null;
  const system = systemOfError(state);
  const side = sideOfError(error, system);
  const { entityOf } = sideOf(document, side);
  const entity = error.entity || (entityOf[error.spans[0] ?? -1] ?? 0);
  if (!entity) return null;
  return side === KEY
    ? { side: "key", system: 0, entity }
    : { side: "response", system, entity };
}

/** The two mentions that the line of an error joins; null if it has none. */
export function endsOf(
  document: Document,
  error: ShownError,
  system: number,
): [number, number] | null {
  const [one = -1, other = -1] = error.spans;
  if (error.link) return [one, other];
  if (error.kind !== "conflated" && error.kind !== "divided") return null;
  const { entities } = sideOf(document, sideOfError(error, system));
  const others = (entities[error.entity] ?? []).filter(
    (span) => !error.spans.includes(span),
  );
  // A line to a mention inside it, as `his` in `his house`, could not be seen.
  const apart = others.filter((span) => !overlap(document, span, one));
  const rest = apart.length ? apart : others;
  // The nearest mention before it, as an antecedent is; the first after it otherwise.
  const before = rest.filter((span) => span < one).at(-1);
  const nearest = before ?? rest[0];
  return nearest === undefined ? null : [one, nearest];
}

function overlap(document: Document, one: number, other: number): boolean {
  const a = document.spans[one];
  const b = document.spans[other];
  return !!a && !!b && a.first <= b.last && b.first <= a.last;
}

const AWAY = 2; // how far a line of an error is from the last slot
const NUMBER = 22; // the room of a bracket's number, which stands at its beginning
const HALF = 7; // of a number's height, where a bracket has no room beside it
const SHAPES = "http://www.w3.org/2000/svg";

export function drawError(
  text: HTMLElement,
  document: Document,
  state: State,
  drawn: Drawn,
): void {
  text.querySelector("svg.mark")?.remove();
  for (const marked of text.querySelectorAll(".at-error")) {
    marked.classList.remove("at-error");
  }
  const error = errorOf(document, state);
  if (!error) return;
  const system = systemOfError(state);
  const side = sideOfError(error, system);
  const ends = endsOf(document, error, system);
  for (const span of new Set([...error.spans, ...(ends ?? [])])) {
    for (const token of cellsOf(document, drawn, span)) token.classList.add("at-error");
  }
  if (state.view === "text") return; // running text has no room for lines
  const [first, second] = ends ?? [error.spans[0] ?? -1, null];
  const start = placeOf(text, document, drawn, side, first);
  if (!start) return;
  const end = second === null ? null : placeOf(text, document, drawn, side, second);
  text.append(picture(start, end, error, side === KEY));
}

/** The cells of the tokens of a span, in all columns. */
export function cellsOf(document: Document, drawn: Drawn, span: number): HTMLElement[] {
  return (document.spans[span]?.parts ?? []).flatMap(([first, last]) => {
    const cells: HTMLElement[] = [];
    for (let token = first; token <= last; token++) {
      cells.push(...(drawn.tokens.get(token) ?? []));
    }
    return cells;
  });
}

export interface Place {
  /** Beside the number of the mention, or in the middle of a short first token. */
  readonly x: number;
  /** Where its line of text begins and ends, slots with it. */
  readonly top: number;
  readonly bottom: number;
  /** Where the line of the mention itself is. */
  readonly own: number;
  /** The edge of the text. */
  readonly edge: number;
}

function placeOf(
  text: HTMLElement,
  document: Document,
  drawn: Drawn,
  side: number,
  span: number,
): Place | null {
  const [piece] = drawn.pieces.get(nameOf(side, span)) ?? [];
  const first = document.spans[span]?.first ?? -1;
  const cell = piece?.closest<HTMLElement>(".token") ?? drawn.tokens.get(first)?.[0];
  const sentence = cell?.closest<HTMLElement>(".sentence");
  if (!cell || !sentence) return null;
  const origin = text.getBoundingClientRect();
  const box = cell.getBoundingClientRect();
  const around = sentence.getBoundingClientRect();
  const style = getComputedStyle(sentence);
  const step = Number.parseFloat(getComputedStyle(text).getPropertyValue("--step"));
  const lanes = (name: string) => Number(style.getPropertyValue(name)) * step;
  const edge = style.direction === "rtl" ? around.right + 8 : around.left - 8;
  const line = (piece ?? cell).getBoundingClientRect();
  // A dot hides no number: it is beside it, or on its outer side.
  const hasRoom = box.width > NUMBER + 6;
  const along = hasRoom ? NUMBER : box.width / 2;
  const out = hasRoom || !piece ? 0 : HALF;
  const x = style.direction === "rtl" ? box.right - along : box.left + along;
  return {
    own: (side === KEY ? line.bottom + out : line.top - out) - origin.top,
    x: x - origin.left,
    top: box.top - lanes("--above") - AWAY - origin.top,
    bottom: box.bottom + lanes("--below") + AWAY - origin.top,
    edge: edge - origin.left,
  };
}

function picture(
  start: Place,
  end: Place | null,
  error: ShownError,
  isBelow: boolean,
): SVGSVGElement {
  const svg = shape("svg", { class: `mark ${error.kind}`, "aria-hidden": "true" });
  const y = isBelow ? start.bottom : start.top;
  if (end) {
    svg.append(
      shape("path", { d: pathOf(start, end, isBelow) }),
      shape("circle", { cx: end.x, cy: end.own, r: 3.5 }),
    );
  }
  const label = shape("text", { x: start.x + 8, y: y + 3.5 });
  label.textContent = kindInWords(error.kind);
  // Without a line there is nothing to begin, and a dot would hide the number.
  if (end) svg.append(shape("circle", { cx: start.x, cy: start.own, r: 3.5 }));
  svg.append(label);
  return svg;
}

/** A line with round corners between two places, along the edge if need be. */
export function pathOf(start: Place, end: Place, isBelow: boolean): string {
  const at = (place: Place) => (isBelow ? place.bottom : place.top);
  const [from, to] = [at(start), at(end)];
  const round = 5;
  const begin = `M${start.x} ${start.own}V${from}`;
  const finish = `H${end.x}V${end.own}`;
  if (Math.abs(from - to) < 2) return begin + finish;
  // The edge is at the right where the text runs to the left.
  const isRight = start.edge > start.x;
  const edge = (isRight ? Math.max : Math.min)(start.edge, end.edge);
  const inward = isRight ? -round : round;
  const down = to > from ? round : -round;
  return [
    begin,
    `H${edge + inward}`,
    `Q${edge} ${from} ${edge} ${from + down}`,
    `V${to - down}`,
    `Q${edge} ${to} ${edge + inward} ${to}`,
    finish,
  ].join("");
}

function shape<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS(SHAPES, name);
  for (const [attribute, value] of Object.entries(attributes)) {
    made.setAttribute(attribute, `${value}`);
  }
  return made;
}
