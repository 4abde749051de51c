/** The button that removes a run: it is pressed twice, as there is no way back. */

import type { Client } from "./client";

const SURE = "Press again to remove it for good";

export function makeRemover(
  button: HTMLElement,
  client: Client,
  done: () => void,
  trouble: (text: string) => void,
): void {
  const asks = button.textContent ?? "";
  let isSure = false;
  button.addEventListener("blur", () => {
    isSure = false;
    button.textContent = asks;
  });
  button.addEventListener("click", async () => {
    if (!isSure) {
      isSure = true;
      button.textContent = SURE;
      return;
    }
    try {
      await client.remove(button.dataset.remove ?? "");
      done();
    } catch (error) {
      trouble(error instanceof Error ? error.message : String(error));
    }
  });
}
