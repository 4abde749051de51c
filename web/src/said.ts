/** What an error is, in words. */

import type { Data, Document, ShownError } from "./data";
import { hasSentences } from "./listing";
import { endsOf } from "./marks";
import { counted, kindInWords, wordsOf } from "./words";

const LONGEST = 60; // characters of a mention in a list
const MANY = 3; // mentions that a sentence names

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
export function details(error: ShownError, data: Data, document: number): string[] {
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
  if (length > 1) about.push(`made by ${makers(error.madeBy, length)}`);
  return about;
}

/** Says how many of the systems make an error. */
export function makers(madeBy: number, systems: number): string {
  if (madeBy <= 1) return "this system only";
  if (madeBy < systems) return `${madeBy} of ${systems} systems`;
  return systems === 2 ? "both systems" : `all ${systems} systems`;
}
