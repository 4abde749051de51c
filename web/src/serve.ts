/** Starts the pages of `corefkit serve`. */

import { Client } from "./serve/client";
import { NewRun } from "./serve/form";
import { localTimes } from "./serve/page";

function start(): void {
  const home = document.body.dataset.home ?? "./";
  const client = new Client(home);
  localTimes(document);
  const form = document.querySelector<HTMLFormElement>("#new-run");
  if (form) new NewRun(form, client, home);
  const remove = document.querySelector<HTMLElement>("[data-remove]");
  remove?.addEventListener("click", async () => {
    if (!confirm("Remove this run and its files? This cannot be undone.")) return;
    try {
      await client.remove(remove.dataset.remove ?? "");
      location.assign(home);
    } catch (error) {
      const place = document.getElementById("trouble");
      if (place)
        place.textContent = String(error instanceof Error ? error.message : error);
    }
  });
  // A page that comes back from the history shows the runs of then.
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
}

start();
