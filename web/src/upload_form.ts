/** The form for a new run: files are chosen or dropped, named and uploaded. */

import { button, element } from "./elements";
import {
  type ChosenFile,
  type Client,
  describeState,
  findProblem,
  formatSize,
  type Job,
  makeUnique,
  removeSuffix,
  type UploadLimits,
} from "./upload";

const FOLDER_DROPPED =
  "A folder cannot be uploaded. `corefkit convert FOLDER corpus.jsonl` makes one file of it.";

export class UploadForm {
  private key: File | null = null;
  private responses: ChosenFile[] = [];
  private readonly limits: UploadLimits;

  constructor(
    private readonly form: HTMLFormElement,
    private readonly client: Client,
    private readonly home: string,
  ) {
    this.limits = JSON.parse(form.dataset.limits ?? "{}");
    for (const drop of form.querySelectorAll<HTMLElement>(".drop")) this.listen(drop);
    document.addEventListener("change", () => this.listTicked());
    // A browser restores ticks when it returns to a page.
    addEventListener("pageshow", () => this.listTicked());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.runDisabled(() => this.upload());
    });
    form.querySelector("#example")?.addEventListener("click", () => {
      void this.runDisabled(async () => this.open(await this.client.addExample()));
    });
  }

  private listen(drop: HTMLElement): void {
    const accept = (files: File[]) =>
      drop.dataset.for === "key" ? this.acceptKey(files) : this.acceptResponses(files);
    const input = drop.querySelector<HTMLInputElement>("input[type=file]");
    input?.addEventListener("change", () => {
      accept([...(input.files ?? [])]);
      input.value = ""; // the chosen files are listed below
    });
    drop.addEventListener("dragover", (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
    drop.addEventListener("dragleave", () => drop.classList.remove("over"));
    drop.addEventListener("drop", (event) => {
      event.preventDefault();
      drop.classList.remove("over");
      const items = [...(event.dataTransfer?.items ?? [])];
      if (items.some((item) => item.webkitGetAsEntry()?.isDirectory)) {
        this.showProblem(FOLDER_DROPPED);
        return;
      }
      accept([...(event.dataTransfer?.files ?? [])]);
    });
  }

  private acceptKey(files: File[]): void {
    if (files.length > 1) {
      this.showProblem(
        "A run has one key: drop one file there, the others as responses.",
      );
      return;
    }
    this.key = files[0] ?? this.key;
    this.draw();
  }

  private acceptResponses(files: File[]): void {
    for (const file of files) {
      const taken = new Set(this.responses.map((response) => response.name));
      this.responses.push({ name: makeUnique(removeSuffix(file.name), taken), file });
    }
    this.draw();
  }

  private draw(): void {
    this.showProblem("");
    if (this.key) {
      const text = `${this.key.name}, ${formatSize(this.key.size)}`;
      this.form.querySelector("#key-chosen")?.replaceChildren(element("li", { text }));
    }
    this.form
      .querySelector("#responses-chosen")
      ?.replaceChildren(
        ...this.responses.map((response, at) => this.drawRow(response, at)),
      );
  }

  private drawRow({ name, file }: ChosenFile, at: number): HTMLElement {
    const about = `${file.name}, ${formatSize(file.size)}`;
    const field = element("input", {
      set: { type: "text", value: name, "aria-label": `name of ${about}` },
    });
    field.addEventListener("input", () => {
      this.responses[at] = { name: field.value, file };
    });
    const remove = button(
      "Remove",
      () => {
        this.responses.splice(at, 1);
        this.draw();
        this.form.querySelector<HTMLElement>("#responses")?.focus();
      },
      { class: "quiet", set: { "aria-label": `Remove ${name}` } },
    );
    return element(
      "li",
      {},
      field,
      element("span", { class: "note", text: about }),
      remove,
    );
  }

  /** The responses of earlier runs that are ticked, as `HASH NAME`, by unique name. */
  private findTicked(taken: Set<string>): Map<string, string> {
    const boxes = document.querySelectorAll<HTMLInputElement>("[data-stored]:checked");
    const ticked = new Map<string, string>();
    for (const box of boxes) {
      const [hash = "", ...words] = (box.dataset.stored ?? "").split(" ");
      const name = words.join(" ");
      const longer = `${name} (run ${box.dataset.run})`;
      const unique = makeUnique(taken.has(name) ? longer : name, taken);
      taken.add(unique);
      ticked.set(unique, `${hash} ${unique}`);
    }
    return ticked;
  }

  private listTicked(): void {
    const place = this.form.querySelector("#ticked");
    if (!place) return;
    const names = [...this.findTicked(new Set()).keys()];
    place.textContent = names.length
      ? `Ticked in the leaderboard: ${names.join(", ")}.`
      : "Nothing is ticked in the leaderboard above.";
  }

  private async upload(): Promise<void> {
    const form = new FormData(this.form);
    const ticked = this.findTicked(new Set(this.responses.map(({ name }) => name)));
    const files = this.responses.map(({ file }) => file);
    const names = [...this.responses.map(({ name }) => name), ...ticked.keys()];
    const problem = findProblem(
      this.key !== null || form.has("stored_key"),
      this.key ? [this.key, ...files] : files,
      names,
      this.limits,
    );
    if (problem) throw new Error(problem);
    for (const [name, value] of [...form]) if (value === "") form.delete(name);
    if (this.key) form.append("key", this.key, this.key.name);
    for (const { name, file } of this.responses) form.append("response", file, name);
    for (const stored of ticked.values()) form.append("stored_response", stored);
    this.showState("Uploading.");
    await this.open(await this.client.addRun(form));
  }

  private async open(job: Job): Promise<void> {
    const done = await this.client.wait(job, (now) =>
      this.showState(describeState(now)),
    );
    location.assign(this.home + done.report);
  }

  /** Do some work with the buttons disabled, and show errors. */
  private async runDisabled(work: () => Promise<void>): Promise<void> {
    const buttons = this.form.querySelectorAll("button");
    this.showProblem("");
    for (const button of buttons) button.disabled = true;
    try {
      await work();
    } catch (error) {
      this.showProblem(error instanceof Error ? error.message : String(error));
    } finally {
      for (const button of buttons) button.disabled = false;
    }
  }

  private showState(text: string): void {
    const place = this.form.querySelector("#state");
    if (place && place.textContent !== text) place.textContent = text;
  }

  private showProblem(text: string): void {
    this.showState("");
    const place = this.form.querySelector("#trouble");
    if (place) place.textContent = text;
  }
}
