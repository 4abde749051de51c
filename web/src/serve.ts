/** Starts the pages of `corefkit serve`. */

import { Client } from "./serve/client";
import { NewRun } from "./serve/form";
import { localTimes } from "./serve/page";
import { makeRemover } from "./serve/remove";

function start(): void {
  const home = document.body.dataset.home ?? "./";
  const client = new Client(home);
  localTimes(document);
  const form = document.querySelector<HTMLFormElement>("#new-run");
  if (form) new NewRun(form, client, home);
  const remove = document.querySelector<HTMLElement>("[data-remove]");
  const trouble = document.getElementById("trouble");
  if (remove) {
    makeRemover(
      remove,
      client,
      () => location.assign(home),
      (text) => {
        if (trouble) trouble.textContent = text;
      },
    );
  }
  // A page that comes back from the history shows the runs of then.
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
}

start();
