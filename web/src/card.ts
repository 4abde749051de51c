/** The error that is shown, told in a sentence. */

import type { Data } from "./data";
import { button, element } from "./elements";
import { errorOf } from "./marks";
import { details, explained, kindName } from "./said";
import type { Store } from "./state";
import { visible } from "./visible";

/** Draws the card; `position` says which of the errors it is, as in `, 3 of 39`. */
export function drawCard(
  card: HTMLElement,
  data: Data,
  store: Store,
  position: string,
): void {
  const { state } = store;
  const { document, error: id } = state;
  card.hidden = document === null || id === null;
  if (document === null || id === null) return;
  const system = state.systems[0] ?? 0;
  const name = data.systems[system] ?? "";
  const shown = data.document(document);
  const error = errorOf(shown, state);
  const close = button("×", () => store.set({ error: null }), {
    class: "quiet",
    set: { "aria-label": "Let go of the error" },
  });
  if (!error) {
    const missing = `${name} has no error ${visible(id)} in this document.`;
    card.replaceChildren(
      element("h4", { text: "No such error" }),
      close,
      element("p", { text: missing }),
    );
    return;
  }
  const said = explained(error, shown, { system, name, key: data.key });
  card.replaceChildren(
    element("h4", { text: `${kindName(error.kind)}${position}` }),
    close,
    element("p", { text: said, set: { dir: "auto" } }),
    element("p", { class: "note", text: details(error, data, document).join(", ") }),
  );
}

/** What is said when the card shows another error. */
export function saidOn(card: HTMLElement): string {
  const [kind, said] = [...card.querySelectorAll("h4, p")];
  return `${kind?.textContent ?? ""}. ${said?.textContent ?? ""}`;
}
