/** Elements, made in one call. Text goes in as text, never as markup. */

export interface Options {
  readonly class?: string;
  readonly text?: string;
  /** Attributes by name; those that are undefined are left out. */
  readonly set?: Readonly<Record<string, string | number | undefined>>;
}

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  options: Options = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (options.class) made.className = options.class;
  if (options.text !== undefined) made.textContent = options.text;
  for (const [attribute, value] of Object.entries(options.set ?? {})) {
    if (value !== undefined) made.setAttribute(attribute, `${value}`);
  }
  made.append(...children);
  return made;
}

/** A button that does something on the page. */
export function button(
  text: string,
  act: () => void,
  options: Options = {},
): HTMLButtonElement {
  const made = element("button", options, text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}
