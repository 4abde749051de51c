/** Elements made of plain values: text is text, never markup. */

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...inside: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    made.setAttribute(name, value);
  made.append(...inside);
  return made;
}

/** Say times in the reader's own. */
export function localTimes(page: ParentNode): void {
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
