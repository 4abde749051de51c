/** What an error is, in words. */

import type { Data, Document, ShownError } from "./data";
import { hasSentences } from "./listing";
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
  const tokens = document.sentences.flat();
  const words = error.spans.map((span) => quoted(tokens, document, span));
  if (error.link) return words.join(" → ");
  if (error.kind === "span") return words.join(", in the key ");
  return few(words);
}

function quoted(tokens: readonly string[], document: Document, span: number): string {
  return `“${cut(wordsOf(document, tokens, span), LONGEST)}”`;
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

/** Says in one or two sentences what an error is, for somebody who is new to it. */
export function explained(
  error: ShownError,
  document: Document,
  system: string,
  key: string,
): string {
  const tokens = document.sentences.flat();
  const words = error.spans.map((span) => quoted(tokens, document, span));
  const [first = "", second = ""] = words;
  const all = few(words);
  const are = words.length > 1 ? "are" : "is";
  const belong = words.length > 1 ? "belong" : "belongs";
  const them = words.length > 1 ? "them" : "it";
  const entity = `entity ${error.entity}`;
  const sentences: Record<string, string> = {
    span: `${system} has the mention ${first}. In the ${key} its borders are others: ${second}.`,
    conflated:
      `${system} puts ${all} into its ${entity}, where ${words.length > 1 ? "they do" : "it does"} not belong: ` +
      `the ${key} has ${them} elsewhere than the first mentions of that entity.`,
    extra_mention: `${system} has ${first} as a mention of its ${entity}. The ${key} has no such mention.`,
    extra_entity: `${system} has an entity that the ${key} lacks, its ${entity}: ${all}.`,
    divided: `${all} ${belong} to ${entity} of the ${key}. ${system} has ${them}, but apart from the entity's first mentions.`,
    missing_mention: `${first} is a mention of ${entity} of the ${key}. ${system} does not have it.`,
    missing_entity: `${system} lacks ${entity} of the ${key}: ${all} ${are} not found.`,
    recall: `The ${key} links ${first} back to ${second}. ${system} does not${because(error, system, words)}.`,
    precision: `${system} links ${first} back to ${second}. The ${key} does not${because(error, `the ${key}`, words)}.`,
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
  if (error.type) about.push(error.type);
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
