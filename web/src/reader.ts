/** The reader: one document at a time, with its layers, panel and errors. */

import type { Data } from "./data";
import type { Store } from "./state";

export function mountReader(home: HTMLElement, data: Data, store: Store): void {
  const draw = (): void => {
    const number = store.state.document ?? 0;
    home.textContent = data.document(number).id;
  };
  store.listen(draw);
  draw();
}
