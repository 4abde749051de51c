/** The reader: one document at a time, with its layers, panel and errors. */

import type { Data } from "./data";
import { element } from "./elements";
import { FocusPanel } from "./panel";
import type { Store } from "./state";
import { DocumentView } from "./text";

export function mountReader(home: HTMLElement, data: Data, store: Store): void {
  if (store.state.document === null) {
    store.set({ document: 0, systems: data.systems.length ? [0] : [] });
  }
  const text = element("div");
  const panel = element("aside");
  home.style.display = "grid";
  home.style.gridTemplateColumns = "minmax(0,1fr) 24rem";
  home.style.gap = "1.5rem";
  home.replaceChildren(text, panel);
  new DocumentView(text, data, store);
  new FocusPanel(panel, data, store);
}
