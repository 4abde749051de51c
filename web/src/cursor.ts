/**
 * The cursor: one mention of the text that Tab reaches; arrow keys move it on.
 *
 * Left and right go through the mentions in reading order, up and down to the sentence
 * before and after, Home and End to the first and the last mention.
 */

export interface Cursor {
  readonly text: HTMLElement;
  current: HTMLElement | null;
}

/** Moves the cursor to a piece, or from there by a key. Says whether the key did it. */
export function moveCursor(
  cursor: Cursor,
  piece: HTMLElement | null,
  key = "",
): boolean {
  const all = [...cursor.text.querySelectorAll<HTMLElement>(".piece.first")];
  const from = piece?.classList.contains("first")
    ? piece
    : (all.find((one) => isSameMention(one, piece)) ?? all[0] ?? null);
  const to = key ? target(all, from, key) : from;
  if (!to) return false;
  if (cursor.current) cursor.current.tabIndex = -1;
  cursor.current = to;
  to.tabIndex = 0;
  if (key) to.focus();
  return true;
}

function isSameMention(one: HTMLElement, other: HTMLElement | null): boolean {
  return (
    one.dataset.span === other?.dataset.span &&
    one.dataset.system === other?.dataset.system
  );
}

function target(
  all: readonly HTMLElement[],
  from: HTMLElement | null,
  key: string,
): HTMLElement | null {
  const at = from ? all.indexOf(from) : -1;
  if (at < 0 || !from) return null;
  const isLeftward = getComputedStyle(from).direction === "rtl";
  const step = (forward: boolean) => all[at + (forward ? 1 : -1)] ?? null;
  switch (key) {
    case "ArrowRight":
      return step(!isLeftward);
    case "ArrowLeft":
      return step(isLeftward);
    case "ArrowDown":
      return otherSentence(all.slice(at), from);
    case "ArrowUp":
      return otherSentence(all.slice(0, at).reverse(), from);
    case "Home":
      return all[0] ?? null;
    case "End":
      return all.at(-1) ?? null;
    default:
      return null;
  }
}

function otherSentence(among: readonly HTMLElement[], from: HTMLElement) {
  const sentence = from.closest(".sentence");
  return among.find((one) => one.closest(".sentence") !== sentence) ?? null;
}
