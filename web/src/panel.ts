/** The entity in focus. */

import type { Data } from "./data";
import type { Store } from "./state";

export class FocusPanel {
  constructor(home: HTMLElement, _data: Data, store: Store) {
    const draw = (): void => {
      const { focus } = store.state;
      home.textContent = focus ? `${focus.side} ${focus.entity}` : "";
    };
    store.listen(draw);
    draw();
  }
}
