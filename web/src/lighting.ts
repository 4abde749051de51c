/** Puts light on what is in focus, in the text that is drawn; the rest stands back. */

import { type Mark, stripOf } from "./agreement";
import type { Document } from "./data";
import { element } from "./elements";
import { litBy } from "./focusing";
import { KEY } from "./layers";
import { cellsOf } from "./marks";
import type { Drawn } from "./sentence";
import type { Focus, State } from "./state";

export interface Scene {
  readonly open: Document;
  readonly text: HTMLElement;
  readonly drawn: Drawn;
  readonly state: State;
  /** For each system the marks of the spans; none if there is one system. */
  readonly marks: readonly (readonly (Mark | null)[])[];
}

const LIT = ["strong", "related", "asked", "lit", "lit-on", "leftward"];

export function light(scene: Scene, focus: Focus | null): void {
  const { text, state, open } = scene;
  for (const name of LIT) {
    for (const one of [...text.getElementsByClassName(name)])
      one.classList.remove(name);
  }
  for (const strip of [...text.getElementsByClassName("mark-strip")]) strip.remove();
  text.classList.toggle("focused", focus !== null);
  if (focus) {
    const { strong, related } = litBy(open, state.systems, focus);
    mark(scene.drawn, related, "related");
    mark(scene.drawn, strong, "strong");
    lightWords(scene.drawn, strong);
    if (scene.marks.length) addStrips(scene, strong);
  }
  press(text, state.focus);
  for (const cell of askedCells(scene)) cell.classList.add("asked");
}

/** The cells of the mention that was asked for; of its tokens, if no side has it. */
function askedCells({ open, drawn, state }: Scene): HTMLElement[] {
  const [first = -1, last = -1] = (state.mention ?? "").split("-").map(Number);
  const spans = open.spans.filter((span) => span.first === first && span.last === last);
  if (spans.length) return spans.flatMap((span) => cellsOf(open, drawn, span.number));
  const cells: HTMLElement[] = [];
  for (let token = first; token >= 0 && token <= last; token++) {
    const known = drawn.tokens.get(token);
    if (!known) break;
    cells.push(...known);
  }
  return cells;
}

function mark(drawn: Drawn, names: ReadonlySet<string>, as: string): void {
  for (const name of names) {
    for (const piece of drawn.pieces.get(name) ?? []) piece.classList.add(as);
  }
}

/** Marks the words of mentions, and the space behind where a mention goes on. */
function lightWords(drawn: Drawn, names: ReadonlySet<string>): void {
  for (const name of names) {
    for (const piece of drawn.pieces.get(name) ?? []) {
      const { classList } = piece.parentElement as HTMLElement;
      if (!piece.classList.contains("gap")) classList.add("lit");
      if (piece.classList.contains("last")) continue;
      classList.add("lit-on");
      if (piece.matches(":dir(rtl)")) classList.add("leftward");
    }
  }
}

/** Says to screen readers which mentions a click has pinned. */
function press(text: HTMLElement, focus: Focus | null): void {
  for (const piece of text.querySelectorAll('[aria-pressed="true"]')) {
    piece.setAttribute("aria-pressed", "false");
  }
  if (!focus) return;
  const system = focus.side === "key" ? "" : `${focus.system}`;
  const about = `[data-entity="${focus.entity}"][data-system="${system}"]`;
  for (const piece of text.querySelectorAll(`.piece.first${about}`)) {
    piece.setAttribute("aria-pressed", "true");
  }
}

/** A strip at the end of each mention of the key: one mark a system. */
function addStrips(scene: Scene, strong: ReadonlySet<string>): void {
  for (const name of strong) {
    const [system = KEY, span = 0] = name.split(":").map(Number);
    if (system !== KEY) continue;
    const strip = stripOf(scene.marks, scene.open, KEY, span);
    for (const piece of scene.drawn.pieces.get(name) ?? []) {
      if (piece.classList.contains("last")) piece.append(drawStrip(strip));
    }
  }
}

function drawStrip(marks: readonly Mark[]): HTMLElement {
  const strip = element("i", { class: "mark-strip", set: { "aria-hidden": "true" } });
  for (const one of marks) strip.append(element("i", { class: one }));
  return strip;
}
