/** The form for a new run: files are chosen or dropped, named, sent. */

import { type Chosen, fault, freeName, inWords, type Limits, nameOf } from "./chosen";
import { type Asked, type Client, type Named, stateInWords } from "./client";
import { element } from "./page";

export class NewRun {
  private key: File | Named | null;
  private responses: Chosen[] = [];
  private readonly limits: Limits;

  constructor(
    private readonly form: HTMLFormElement,
    private readonly client: Client,
    private readonly home: string,
  ) {
    this.limits = JSON.parse(form.dataset.limits ?? "{}");
    this.key = form.dataset.key ? JSON.parse(form.dataset.key) : null;
    for (const drop of form.querySelectorAll<HTMLElement>(".drop")) this.listen(drop);
    document.addEventListener("change", () => this.sayTicked());
    // A browser restores ticks of a page that it comes back to.
    addEventListener("pageshow", () => this.sayTicked());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.during(() => this.send());
    });
    form.querySelector("#example")?.addEventListener("click", () => {
      void this.during(async () => this.open(await this.client.addExample()));
    });
  }

  private listen(drop: HTMLElement): void {
    const take = (files: File[]) =>
      drop.dataset.for === "key" ? this.takeKey(files) : this.takeResponses(files);
    const input = drop.querySelector<HTMLInputElement>("input[type=file]");
    input?.addEventListener("change", () => {
      take([...(input.files ?? [])]);
      input.value = ""; // what is chosen is listed below
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
        this.trouble(
          "A folder cannot be sent. `corefkit convert FOLDER corpus.jsonl` makes one file of it.",
        );
        return;
      }
      take([...(event.dataTransfer?.files ?? [])]);
    });
  }

  private takeKey(files: File[]): void {
    if (files.length > 1) {
      this.trouble("A run has one key: drop one file there, the others as responses.");
      return;
    }
    this.key = files[0] ?? this.key;
    this.draw();
  }

  private takeResponses(files: File[]): void {
    for (const file of files) {
      const taken = new Set(this.responses.map((one) => one.name));
      this.responses.push({ name: freeName(nameOf(file.name), taken), file });
    }
    this.draw();
  }

  private draw(): void {
    this.trouble("");
    const key = this.form.querySelector("#key-chosen");
    if (key && this.key instanceof File) {
      key.replaceChildren(
        element("li", {}, `${this.key.name}, ${inWords(this.key.size)}`),
      );
    }
    this.form
      .querySelector("#responses-chosen")
      ?.replaceChildren(...this.responses.map((one, at) => this.row(one, at)));
  }

  private row(chosen: Chosen, at: number): HTMLElement {
    const { name, file } = chosen;
    const about = file instanceof File ? `${file.name}, ${inWords(file.size)}` : "";
    const field = element("input", {
      type: "text",
      value: name,
      "aria-label": `name of ${about}`,
    });
    field.addEventListener("input", () => {
      this.responses[at] = { name: field.value, file };
    });
    const remove = element("button", { type: "button", class: "quiet" }, "Remove");
    remove.setAttribute("aria-label", `Remove ${name}`);
    remove.addEventListener("click", () => {
      this.responses.splice(at, 1);
      this.draw();
      this.form.querySelector<HTMLElement>("#responses")?.focus();
    });
    return element("li", {}, field, element("span", { class: "note" }, about), remove);
  }

  /** The responses of earlier runs that are ticked. */
  private ticked(taken: Set<string>): Named[] {
    const boxes = document.querySelectorAll<HTMLInputElement>(
      "[data-response]:checked",
    );
    return [...boxes].map((box) => {
      const given = JSON.parse(box.dataset.response ?? "{}") as Named;
      const longer = `${given.name} (run ${box.dataset.run})`;
      const name = freeName(taken.has(given.name) ? longer : given.name, taken);
      taken.add(name);
      return { file: given.file, name };
    });
  }

  private sayTicked(): void {
    const place = this.form.querySelector("#ticked");
    if (!place) return;
    const names = this.ticked(new Set()).map((one) => one.name);
    place.textContent = names.length
      ? `Ticked in the leaderboard: ${names.join(", ")}.`
      : "Nothing is ticked in the leaderboard above.";
  }

  private async send(): Promise<void> {
    const own = this.responses;
    const earlier = this.ticked(new Set(own.map((one) => one.name)));
    const files = [this.key, ...own.map((one) => one.file)].filter(
      (one) => one instanceof File,
    );
    const names = [...own, ...earlier].map((one) => one.name);
    const wrong = fault(this.key !== null, files, names, this.limits);
    if (wrong || !this.key) throw new Error(wrong);
    const responses: Named[] = [];
    const key = await this.sent(this.key, "the key");
    for (const one of own) {
      const file = typeof one.file === "string" ? one.file : await this.upload(one);
      responses.push({ file, name: one.name });
    }
    await this.open(
      await this.client.add({
        key,
        responses: [...responses, ...earlier],
        settings: this.settings(),
      }),
    );
  }

  private async sent(file: File | Named, what: string): Promise<Named> {
    if (!(file instanceof File)) return file;
    this.say(`Sending ${what}.`);
    return { file: await this.client.send(file), name: file.name };
  }

  private async upload(one: Chosen): Promise<string> {
    return (await this.sent(one.file as File, one.name)).file;
  }

  private settings(): Asked["settings"] {
    const chosen = this.form.querySelectorAll<HTMLSelectElement>("[data-setting]");
    return Object.fromEntries(
      [...chosen]
        .filter((one) => one.value)
        .map((one) => [one.dataset.setting ?? "", one.value]),
    );
  }

  private async open(job: Parameters<Client["finished"]>[0]): Promise<void> {
    const done = await this.client.finished(job, (now) => this.say(stateInWords(now)));
    location.assign(this.home + done.report);
  }

  /** Do some work with the buttons off; what goes wrong is shown. */
  private async during(work: () => Promise<void>): Promise<void> {
    const buttons = this.form.querySelectorAll("button");
    this.trouble("");
    for (const button of buttons) button.disabled = true;
    try {
      await work();
    } catch (error) {
      this.trouble(error instanceof Error ? error.message : String(error));
    } finally {
      for (const button of buttons) button.disabled = false;
    }
  }

  private say(text: string): void {
    const home = this.form.querySelector("#state");
    if (home && home.textContent !== text) home.textContent = text;
  }

  private trouble(text: string): void {
    this.say("");
    const home = this.form.querySelector("#trouble");
    if (home) home.textContent = text;
  }
}
