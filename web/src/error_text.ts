/** What an error is, in words. */

import type { Data, Document, ShownError } from "./data";
import { hasSpaceBefore, KEY, type Mention, sideOf, visible } from "./document_view";
import { endsOf } from "./error_arrows";
import { hasSentences } from "./error_list";

/** The words of a span; an ellipsis stands for a gap. */
export function wordsOf(document: Document, span: number): string {
  const tokens = shownTokens(document);
  const parts = document.spans[span]?.parts ?? [];
  return parts
    .map(([first, last]) => visible(spacedText(document, tokens, first, last)))
    .join(" … ");
}

function spacedText(
  document: Document,
  tokens: readonly string[],
  first: number,
  last: number,
): string {
  let text = tokens[first] ?? "";
  for (let at = first + 1; at <= last; at++) {
    const isApart = hasSpaceBefore(document, at, tokens[at - 1], tokens[at]);
    text += `${isApart ? " " : ""}${tokens[at] ?? ""}`;
  }
  return text;
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

const LONGEST = 60; // characters of a mention in a list
const MANY = 3; // mentions that a sentence names

const LONGEST_NAME = 24; // characters of a system on a button

/**
 * Shortens names of systems: what all of them share is cut first, so that the parts that
 * distinguish them stay.
 */
export function shortenNames(
  names: readonly string[],
  longest = LONGEST_NAME,
): string[] {
  if (names.length < 2 || names.every((name) => name.length <= longest)) {
    return names.map((name) => cut(name, longest));
  }
  const [first = ""] = names;
  const shared = (at: (name: string, place: number) => string): number => {
    let count = 0;
    const end = Math.min(...names.map((name) => name.length)) - 1;
    while (count < end && names.every((name) => at(name, count) === at(first, count))) {
      count++;
    }
    return count;
  };
  const prefix = shared((name, place) => name.charAt(place));
  const suffix = shared((name, place) => name.charAt(name.length - 1 - place));
  return names.map((name) => {
    const end = Math.max(name.length - suffix, prefix + 1);
    const start = prefix > 3 ? `…${name.slice(prefix, end)}` : name.slice(0, end);
    return cut(`${start}${name.slice(end)}`, longest);
  });
}

/** Cuts a text that is too long, between characters and never inside one. */
export function cut(text: string, longest: number): string {
  const letters = [...text];
  return letters.length > longest
    ? `${letters
        .slice(0, longest - 1)
        .join("")
        .trimEnd()}…`
    : text;
}

/** Writes what an error is about, for a list. */
export function aboutError(error: ShownError, document: Document): string {
  const words = error.spans.map((span) => quoted(document, span));
  if (error.link) return words.join(" → ");
  if (error.kind === "span") return words.join(", in the key ");
  return few(words);
}

function quoted(document: Document, span: number): string {
  return `“${cut(wordsOf(document, span), LONGEST)}”`;
}

function few(words: readonly string[]): string {
  const rest = words.length - MANY;
  if (rest <= 0) return words.join(", ");
  return `${words.slice(0, MANY).join(", ")} and ${rest} more`;
}

/** Names a kind, as in `Missing mention`. */
export function kindName(kind: string): string {
  const words = kindInWords(kind);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Who makes an error, and what the sides are called. */
export interface Sides {
  /** The number of the system. */
  readonly system: number;
  readonly name: string;
  readonly key: string;
}

/** Says in one or two sentences what an error is, for somebody who is new to it. */
export function explained(error: ShownError, document: Document, sides: Sides): string {
  const { name, key } = sides;
  const words = error.spans.map((span) => quoted(document, span));
  const [first = "", second = ""] = words;
  const all = few(words);
  const entity = `entity ${error.entity}`;
  // The same mention as the line in the text leads to.
  const [, end = -1] = endsOf(document, error, sides.system) ?? [];
  const other = end < 0 ? "others" : quoted(document, end);
  const sentences: Readonly<Record<string, string>> = {
    span: `${name} has the mention ${first}. In the ${key} it is ${second}.`,
    conflated: `${name} puts ${all} into one entity with ${other}, its ${entity}. The ${key} does not.`,
    extra_mention: `${name} has ${first} as a mention of its ${entity}. The ${key} has no such mention.`,
    extra_entity: `${name} has an entity that the ${key} lacks, its ${entity}: ${all}.`,
    divided: `The ${key} has ${all} in one entity with ${other}, ${entity}. ${name} does not.`,
    missing_mention: `The ${key} has ${first} as a mention of ${entity}. ${name} has no such mention.`,
    missing_entity: `The ${key} has an entity that ${name} lacks, ${entity}: ${all}.`,
    recall: `The ${key} links ${first} back to ${second}. ${name} does not${because(error, name, words)}.`,
    precision: `${name} links ${first} back to ${second}. The ${key} does not${because(error, `the ${key}`, words)}.`,
  };
  return sentences[error.kind] ?? error.kind;
}

/** Says why one side has no such link. */
function because(error: ShownError, side: string, words: readonly string[]): string {
  const [anaphor = "", antecedent = ""] = words;
  switch (error.link?.cause) {
    case "anaphor":
      return `: ${side} has no mention ${anaphor}`;
    case "antecedent":
      return `: ${side} has no mention ${antecedent}`;
    case "link":
      return `, though ${side} has both mentions`;
    default:
      return "";
  }
}

/** Lists more about an error, in a few words each. */
export function details(
  error: ShownError,
  data: Data,
  document: number,
  hasMakers = false,
): string[] {
  const about: string[] = [];
  if (error.type && error.type !== "other") about.push(error.type);
  if (error.link) {
    const { distance, entitySize } = error.link;
    const unit = hasSentences(data.encoded(document)) ? "sentence" : "token";
    if (distance === 0 && unit === "sentence") about.push("in the same sentence");
    else if (distance !== null) about.push(`${counted(distance, unit)} apart`);
    if (entitySize) about.push(`entity of ${counted(entitySize, "mention")}`);
  }
  const { length } = data.systems;
  if (length > 1 && !hasMakers) about.push(`made by ${makers(error.madeBy, length)}`);
  return about;
}

/** Says how many of the systems make an error. */
export function makers(madeBy: number, systems: number): string {
  if (madeBy <= 1) return "this system only";
  if (madeBy < systems) return `${madeBy} of ${systems} systems`;
  return systems === 2 ? "both systems" : `all ${systems} systems`;
}
