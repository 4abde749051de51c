/** Scrolls to what was asked for. */

import type { Document } from "./data";
import { litBy } from "./focusing";
import { errorOf } from "./marks";
import type { Drawn } from "./sentence";
import type { State } from "./state";

/** The token that a change of the state asks to see; -1 for none. */
export function askedToken(open: Document, state: State, before: State): number {
  const fields = ["document", "systems", "view", "focus", "error"] as const;
  const isOther = fields.some((field) => state[field] !== before[field]);
  const isNewMention =
    state.mention !== before.mention || state.document !== before.document;
  // To ask for the same mention once more is to ask to see it again.
  if (state.mention !== null && (isNewMention || !isOther)) {
    return Number(state.mention.split("-")[0]);
  }
  const isNew = state.error !== before.error || state.document !== before.document;
  if (!isNew || state.error === null) return -1;
  // Of an error that the document does not have, its beginning.
  const error = errorOf(open, state);
  return open.spans[error?.spans[0] ?? -1]?.first ?? 0;
}

export function revealToken(drawn: Drawn, token: number): void {
  const [cell] = drawn.tokens.get(token) ?? [];
  cell?.scrollIntoView({ block: "center", inline: "nearest" });
}

/** Scrolls to the first mention of the entity in focus, unless one can be seen. */
export function revealFocus(open: Document, state: State, drawn: Drawn): void {
  if (!state.focus) return;
  const { strong } = litBy(open, state.systems, state.focus);
  const pieces = [...strong].flatMap((name) => drawn.pieces.get(name) ?? []);
  const isSeen = pieces.some((piece) => {
    const box = piece.getBoundingClientRect();
    return box.top >= 0 && box.bottom <= window.innerHeight;
  });
  if (!isSeen) pieces[0]?.closest(".token")?.scrollIntoView({ block: "center" });
}
