/** What is said about mentions and entities, in words. */

import type { Document, ShownError } from "./data";
import { KEY, type Mention, sideOf } from "./layers";
import { visible } from "./visible";

/** The words of a span; an ellipsis stands for a gap. */
export function wordsOf(document: Document, span: number): string {
  const tokens = shownTokens(document);
  const parts = document.spans[span]?.parts ?? [];
  return parts
    .map(([first, last]) => visible(tokens.slice(first, last + 1).join(" ")))
    .join(" … ");
}

// A list asks for the words of one document at each of its rows.
const TOKENS = new WeakMap<Document, readonly string[]>();

/** The tokens; an empty node, which is not said, has its sign and its word, if any. */
function shownTokens(document: Document): readonly string[] {
  let tokens = TOKENS.get(document);
  if (!tokens) {
    tokens = document.sentences.flat().map((word, token) => {
      if (!document.empty.has(token)) return word;
      return word === "_" ? "∅" : `∅${word}`;
    });
    TOKENS.set(document, tokens);
  }
  return tokens;
}

const NUMBERS = new Intl.NumberFormat("en");

/** Writes a whole number, as in `12,000`. */
export function written(count: number): string {
  return NUMBERS.format(count);
}

/** Writes a number with what it counts: `1 error`, `12,000 errors`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${written(count)} ${count === 1 ? one : many}`;
}

/** Lists names: "1", "1 and 2", "1, 2 and 3". */
export function listed(names: readonly (string | number)[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? `${last}` : `${names.slice(0, -1).join(", ")} and ${last}`;
}

const LINKS: Readonly<Record<string, string>> = {
  recall: "missing link",
  precision: "wrong link",
};

/** A kind of errors, as the tables of the page call it. */
export function kindInWords(kind: string): string {
  return LINKS[kind] ?? kind.replace(/_/g, " ");
}

/** The kinds of the errors at each span of a side, in their order. */
export function kindsAt(errors: readonly ShownError[]): Map<number, string[]> {
  const kinds = new Map<number, string[]>();
  for (const error of errors) {
    const kind = kindInWords(error.kind);
    const end = error.link ? 1 : error.spans.length; // a link is about its anaphor
    for (let at = 0; at < end; at++) {
      const span = error.spans[at] ?? -1;
      const known = kinds.get(span);
      if (!known) kinds.set(span, [kind]);
      else if (!known.includes(kind)) known.push(kind);
    }
  }
  return kinds;
}

/** What a mention is called where it cannot be seen, beginning with its words. */
export function labelOf(
  document: Document,
  mention: Mention,
  given: {
    readonly words: string;
    readonly key: string;
    readonly systems: readonly string[];
    readonly shown: readonly number[];
    readonly kinds: readonly ReadonlyMap<number, readonly string[]>[];
  },
): string {
  const name = (system: number) =>
    system === KEY
      ? given.key
      : given.shown.length > 1
        ? (given.systems[system] ?? "response")
        : "response";
  const entity = (system: number, number: number): string => {
    const size = sideOf(document, system).entities[number]?.length ?? 0;
    const noun = system === KEY && given.key === "entities" ? "" : `${name(system)} `;
    return `${noun}entity ${number}, ${counted(size, "mention")}`;
  };
  const parts = [`${given.words}: ${entity(mention.system, mention.entity)}`];
  for (const system of mention.system === KEY ? given.shown : [KEY]) {
    const other = otherEntity(document, mention, system);
    parts.push(other ? entity(system, other) : `not in ${name(system)}`);
  }
  const kinds = (mention.system === KEY ? given.shown : [mention.system]).flatMap(
    (system) => given.kinds[system]?.get(mention.span.number) ?? [],
  );
  return [...parts, ...new Set(kinds)].join("; ");
}

function otherEntity(document: Document, mention: Mention, system: number): number {
  if (system === KEY) return mention.keyEntity;
  const response = document.responses[system];
  const span = response?.keySpan.indexOf(mention.span.number) ?? -1;
  return span < 0 ? 0 : (response?.entityOf[span] ?? 0);
}
