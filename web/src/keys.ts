/** Keys that work wherever the focus is, but not while somebody writes. */

export type Action =
  | { readonly do: "error" | "document"; readonly direction: 1 | -1 }
  | { readonly do: "table" | "search" | "help" | "view" | "leave" }
  | { readonly do: "system"; readonly system: number };

const ACTIONS: Readonly<Record<string, Action>> = {
  n: { do: "error", direction: 1 },
  p: { do: "error", direction: -1 },
  j: { do: "document", direction: 1 },
  k: { do: "document", direction: -1 },
  d: { do: "table" },
  "/": { do: "search" },
  "?": { do: "help" },
  v: { do: "view" },
  Escape: { do: "leave" },
};

/** Says what a key does; null if nothing. */
export function actionOf(key: string): Action | null {
  if (/^[1-9]$/.test(key)) return { do: "system", system: Number(key) - 1 };
  return Object.hasOwn(ACTIONS, key) ? (ACTIONS[key] ?? null) : null;
}

/** Listens to keys. `areOn` says whether letters do something now. */
export function listenToKeys(
  act: (action: Action) => void,
  areOn: () => boolean,
): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const action = actionOf(event.key);
    if (!action) return;
    if (action.do !== "leave") {
      if (!areOn() || writes(event.target)) return;
      event.preventDefault();
    }
    act(action);
  });
}

/** Says whether letters go into what has the focus. */
function writes(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest("dialog")) return true;
  if (target instanceof HTMLInputElement) {
    return !["checkbox", "radio", "button"].includes(target.type);
  }
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}
