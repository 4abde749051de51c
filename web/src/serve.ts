/** Starts the pages of `corefkit serve`. */

import { Client } from "./upload";
import { UploadForm } from "./upload_form";

const CONFIRM = "Press again to remove it permanently";

/** Show times in the time zone of the reader. */
function localizeTimes(page: ParentNode): void {
  for (const time of page.querySelectorAll("time")) {
    const moment = new Date(time.dateTime);
    if (!Number.isNaN(moment.valueOf())) {
      time.title = time.textContent ?? "";
      time.textContent = time.classList.contains("day")
        ? moment.toLocaleDateString(undefined, { dateStyle: "medium" })
        : moment.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
    }
  }
}

/** Let a button remove a run when it is pressed twice. */
function activateRemoval(button: HTMLElement, client: Client, home: string): void {
  const label = button.textContent ?? "";
  const problem = document.getElementById("trouble");
  let isConfirmed = false;
  button.addEventListener("blur", () => {
    isConfirmed = false;
    button.textContent = label;
  });
  button.addEventListener("click", async () => {
    if (!isConfirmed) {
      isConfirmed = true;
      button.textContent = CONFIRM;
      return;
    }
    try {
      await client.remove(button.dataset.remove ?? "");
      location.assign(home);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (problem) problem.textContent = text;
    }
  });
}

function start(): void {
  const home = document.body.dataset.home ?? "./";
  const client = new Client(home);
  localizeTimes(document);
  const form = document.querySelector<HTMLFormElement>("#new-run");
  if (form) new UploadForm(form, client, home);
  const remove = document.querySelector<HTMLElement>("[data-remove]");
  if (remove) activateRemoval(remove, client, home);
  // A page from the history may show outdated runs.
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
}

start();
