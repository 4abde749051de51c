/** Controls: lists of choices, buttons that stay pressed, groups of them. */

import { element, type Options } from "./elements";

/** Makes a list of choices, each a value and what it says. */
export function choices(
  label: string,
  act: (value: string) => void,
): { label: HTMLLabelElement; select: HTMLSelectElement } {
  const select = element("select", { set: { "aria-label": label } });
  select.addEventListener("change", () => act(select.value));
  return { label: element("label", {}, element("span", {}, label), select), select };
}

/** Puts options into a list of choices, and keeps one of them chosen. */
export function setOptions(
  select: HTMLSelectElement,
  options: readonly (readonly [value: string, text: string])[],
  chosen: string,
): void {
  const same = select.options.length === options.length;
  options.forEach(([value, text], at) => {
    const there = same ? select.options[at] : undefined;
    if (there) {
      if (there.value !== value) there.value = value;
      if (there.text !== text) there.text = text;
    }
  });
  if (!same) {
    select.replaceChildren(
      ...options.map(([value, text]) => element("option", { set: { value } }, text)),
    );
  }
  select.value = chosen;
}

export function press(made: HTMLButtonElement, isPressed: boolean): void {
  made.setAttribute("aria-pressed", `${isPressed}`);
}

export function group(
  label: string,
  kind: string,
  children: readonly HTMLElement[],
): HTMLElement {
  return element(
    "div",
    { class: kind, set: { role: "group", "aria-label": label } },
    ...children,
  );
}

/** What a button with an arrow is called, and the key that does the same. */
export function stepOptions(label: string, key: string): Options {
  return { class: "step", set: { "aria-label": label, title: `${label} (${key})` } };
}

/** Makes what rows scroll in. */
export function scrollerOf(label: string, content: HTMLElement): HTMLElement {
  const set = { tabindex: 0, role: "region", "aria-label": label };
  return element("div", { class: "scroller", set }, content);
}
