/** The open document. */

import type { Data } from "./data";
import { make } from "./elements";
import type { Store } from "./state";

export class DocumentView {
  constructor(home: HTMLElement, data: Data, store: Store) {
    const draw = (): void => {
      home.replaceChildren();
      const { document } = store.state;
      if (document === null) return;
      let token = 0;
      for (const sentence of data.document(document).sentences) {
        const line = make("p", { dir: "auto" });
        for (const word of sentence) {
          line.append(
            make("span", { class: "token", "data-token": token++ }, word),
            " ",
          );
        }
        home.append(line);
      }
    };
    store.listen(draw);
    draw();
  }
}
