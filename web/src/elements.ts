/** Makes elements. Text of the data goes in as text nodes, never as markup. */

export type Attributes = Readonly<
  Record<string, string | number | boolean | undefined>
>;

/**
 * Makes an element. An attribute that is `true` is there without a value; one that is
 * `false` or undefined is left out.
 */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : `${value}`);
  }
  element.append(...children);
  return element;
}

/** Makes a button that does something. */
export function button(
  label: string,
  act: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const made = make("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", act);
  return made;
}

/** Makes a list of choices, each a value and what it says. */
export function choices(
  label: string,
  act: (value: string) => void,
): { label: HTMLLabelElement; select: HTMLSelectElement } {
  const select = make("select");
  select.addEventListener("change", () => act(select.value));
  return { label: make("label", {}, make("span", {}, label), select), select };
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
      ...options.map(([value, text]) => make("option", { value }, text)),
    );
  }
  select.value = chosen;
}
