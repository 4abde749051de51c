/** What somebody chose to send: files, and responses of earlier runs, under names. */

/** A response that is sent, or one that the server has already. */
export interface Chosen {
  readonly name: string;
  readonly file: File | string;
}

export interface Limits {
  readonly file: number;
  readonly responses: number;
}

/** Name a file without its endings: `careful.conll.gz` is `careful`. */
export function nameOf(file: string): string {
  return file.replace(/\.gz$/i, "").replace(/\.[^.]{1,10}$/, "") || file;
}

/** Find a name that no other has, by a number behind it. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) {
    const numbered = `${name} (${number})`;
    if (!taken.has(numbered)) return numbered;
  }
}

/** Say what is wrong with what was chosen; nothing if it can be sent. */
export function fault(
  hasKey: boolean,
  sizes: readonly { name: string; size: number }[],
  names: readonly string[],
  limits: Limits,
): string {
  if (!hasKey) return "Choose a key: the file with the right entities.";
  if (!names.length) return "Choose one response or more: what systems found.";
  if (names.length > limits.responses) {
    return `${names.length} responses are chosen, expected ${limits.responses} at most.`;
  }
  const large = sizes.find((one) => one.size > limits.file);
  if (large) {
    return `${large.name} has ${inWords(large.size)}, expected ${inWords(limits.file)} at most.`;
  }
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return `Two responses are called ${twice}: rename one.`;
  if (names.some((name) => !name.trim())) return "A response has no name.";
  return "";
}

export function inWords(size: number): string {
  const units: [number, string][] = [
    [2 ** 30, "GB"],
    [2 ** 20, "MB"],
    [2 ** 10, "KB"],
  ];
  for (const [unit, name] of units) {
    if (size >= unit) return `${(size / unit).toFixed(1).replace(/\.0$/, "")} ${name}`;
  }
  return `${size} bytes`;
}
