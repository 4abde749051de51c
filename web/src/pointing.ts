/** What somebody points at in the text. */

import type { Focus } from "./state";

/** The focus that a drawn piece of a mention stands for. */
export function focusOf(piece: HTMLElement): Focus {
  const isKey = piece.dataset.side === "key";
  return {
    side: isKey ? "key" : "response",
    system: isKey ? 0 : Number(piece.dataset.system),
    entity: Number(piece.dataset.entity),
  };
}

export function isSameFocus(one: Focus | null, other: Focus | null): boolean {
  return (
    one?.side === other?.side &&
    one?.system === other?.system &&
    one?.entity === other?.entity
  );
}

/** The piece that an event is about: the innermost mention, where it is about a word. */
export function pieceAt(event: Event): HTMLElement | null {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return null;
  const piece = target.closest<HTMLElement>(".piece");
  if (piece) return piece;
  const pieces = target.closest(".token")?.querySelectorAll<HTMLElement>(".piece");
  const own = [...(pieces ?? [])];
  const keys = own.filter((one) => one.dataset.side === "key");
  const among = keys.length ? keys : own;
  return among.reduce<HTMLElement | null>(
    (best, one) =>
      best && Number(best.dataset.slot) >= Number(one.dataset.slot) ? best : one,
    null,
  );
}
