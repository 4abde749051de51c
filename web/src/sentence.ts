/**
 * Draws one sentence: its tokens, and below and above them the pieces of its mentions.
 *
 * Each token holds the pieces that run along it. They take no room, so the text stands
 * as it would without them; the lines are as far apart as the slots need.
 */

import { colourOf } from "./colours";
import type { Document } from "./data";
import { element } from "./elements";
import { KEY, type Layer, type Mention, nameOf } from "./layers";
import type { Extent } from "./slots";
import { visible } from "./visible";

/** One mention, along one token. */
export interface Piece {
  readonly mention: Mention;
  readonly slot: number;
  /** The line of its slot, counted from the text over all layers of that direction. */
  readonly lane: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isGap: boolean;
}

/** The pieces of each token of a sentence, layer by layer. */
export function piecesOf(
  layers: readonly Layer[],
  sentence: number,
  { first, last }: Extent,
): Map<number, Piece[]> {
  const pieces = new Map<number, Piece[]>();
  let above = 0;
  for (const layer of layers) {
    const base = layer.side === "key" ? 0 : above;
    if (layer.side === "response") above += layer.depths[sentence] ?? 0;
    for (const at of layer.bySentence[sentence] ?? []) {
      const mention = layer.mentions[at] as Mention;
      const { span } = mention;
      const slot = layer.slots[at] ?? 0;
      const end = Math.min(last, span.last);
      for (let token = Math.max(first, span.first); token <= end; token++) {
        const piece: Piece = {
          mention,
          slot,
          lane: base + slot,
          isFirst: token === span.first,
          isLast: token === span.last,
          isGap: !span.parts.some(([from, to]) => from <= token && token <= to),
        };
        const known = pieces.get(token);
        if (known) known.push(piece);
        else pieces.set(token, [piece]);
      }
    }
  }
  return pieces;
}

/** How many lines of slots a sentence needs in one direction. */
export function lanesOf(layers: readonly Layer[], side: string, sentence: number) {
  return layers
    .filter((layer) => layer.side === side)
    .reduce((sum, layer) => sum + (layer.depths[sentence] ?? 0), 0);
}

/** What was drawn, for focus and errors to find. */
export interface Drawn {
  /** The pieces of each mention, by `nameOf`, in the order of the text. */
  readonly pieces: Map<string, HTMLElement[]>;
  /** The cells of each token: one, or one in each column. */
  readonly tokens: Map<number, HTMLElement[]>;
}

export function drawSentence(
  document: Document,
  layers: readonly Layer[],
  sentence: number,
  extent: Extent,
  drawn: Drawn,
): HTMLElement {
  const pieces = piecesOf(layers, sentence, extent);
  const cell = element("div", { class: "sentence" });
  const responses = layers.filter((layer) => layer.side === "response");
  if (responses.length > 1) {
    cell.classList.add("two");
    cell.style.setProperty("--near", `${responses[0]?.depths[sentence] ?? 0}`);
  }
  const words = document.sentences[sentence] ?? [];
  const direction = directionOf(words.join(" ")) || "ltr";
  words.forEach((word, at) => {
    const number = extent.first + at;
    const token = drawToken(word, number, document.empty.has(number));
    const own = directionOf(word);
    for (const piece of pieces.get(number) ?? []) {
      const made = drawPiece(piece);
      if (document.hasWords && isTiny(piece, word)) made.classList.add("tiny");
      if (responses.length > 1 && piece.mention.system === responses[1]?.system) {
        made.classList.add("far");
      }
      // A word that runs the other way begins at its other end.
      if (own && own !== direction) made.dir = own;
      token.append(made);
      const name = nameOf(piece.mention.system, piece.mention.span.number);
      add(drawn.pieces, name, made);
    }
    add(drawn.tokens, number, token);
    cell.append(token, " ");
  });
  // Last: a browser would look for the direction again with each word that is added.
  cell.dir = "auto";
  return cell;
}

const LEFTWARD =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The direction of the first letter of a text that has one, as `dir=auto` finds it. */
export function directionOf(text: string): "ltr" | "rtl" | "" {
  const letter = /\p{L}/u.exec(text)?.[0];
  if (!letter) return "";
  return LEFTWARD.test(letter) ? "rtl" : "ltr";
}

const NARROW = /[\p{P}ijlrtfI1]/u;

/** Whether a mention is not as wide as its number, which then stands in its middle. */
export function isTiny(piece: Piece, word: string): boolean {
  if (!piece.isFirst || !piece.isLast) return false;
  let width = 0; // in tenths of the size of the text, about
  for (const letter of word) width += NARROW.test(letter) ? 3 : 6;
  return width < 5 + 4 * `${piece.mention.entity}`.length;
}

function drawToken(word: string, number: number, isEmpty: boolean): HTMLElement {
  const token = document.createElement("span");
  token.className = "token";
  token.setAttribute("data-token", `${number}`);
  if (!isEmpty) token.textContent = visible(word);
  else {
    // Raised inside its cell, so that lines along the cell stay where they are.
    const isSilent = word === "" || word === "_";
    const mark = element("span", { class: isSilent ? "raised silent" : "raised" });
    mark.textContent = visible(word);
    token.classList.add("empty");
    token.title = "empty node: it stands for what the sentence leaves out";
    token.append(mark);
  }
  return token;
}

function drawPiece(piece: Piece): HTMLElement {
  const { mention } = piece;
  const made = document.createElement("i");
  const names = ["piece", mention.side, colourOf(mention.keyEntity)];
  if (piece.isFirst) names.push("first");
  if (piece.isLast) names.push("last");
  if (piece.isGap) names.push("gap");
  if (mention.isSingleton) names.push("single");
  made.className = names.join(" ");
  // Attributes are set faster than through `dataset`, and there are thousands.
  made.setAttribute("data-span", `${mention.span.number}`);
  made.setAttribute("data-slot", `${piece.slot}`);
  made.setAttribute("data-side", mention.side);
  made.setAttribute("data-system", mention.system === KEY ? "" : `${mention.system}`);
  made.setAttribute("data-entity", `${mention.entity}`);
  if (piece.lane) made.style.setProperty("--lane", `${piece.lane}`);
  return made;
}

function add<Name>(
  map: Map<Name, HTMLElement[]>,
  name: Name,
  value: HTMLElement,
): void {
  const known = map.get(name);
  if (known) known.push(value);
  else map.set(name, [value]);
}
