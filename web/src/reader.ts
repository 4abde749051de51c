/** The reader: one document at a time, with its layers, panel and errors. */

import type { Data } from "./data";
import { element } from "./elements";
import type { Store } from "./state";
import { DocumentView } from "./text";

export function mountReader(home: HTMLElement, data: Data, store: Store): void {
  if (store.state.document === null) {
    store.set({ document: 0, systems: data.systems.length ? [0] : [] });
  }
  const text = element("div");
  home.replaceChildren(text);
  new DocumentView(text, data, store);
}
