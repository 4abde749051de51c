/** The columns of the table of documents. */

import type { Sortable } from "./compare";
import type { Data, EncodedDocument } from "./data";
import { LINKS } from "./listing";
import { written } from "./words";

export interface Column {
  /** What tells it from the others. */
  readonly key: string;
  readonly head: string;
  /** The head where there is little room. */
  readonly short: string;
  /** What stands above several columns in a row. */
  readonly group: string;
  /** A cell for each document. */
  readonly cells: readonly Sortable[];
  text(cell: Sortable, document: number): string;
}

/** Makes the columns: name, size, scores, errors; F1 is that of one metric. */
export function documentColumns(
  data: Data,
  metric: number,
  shown: readonly number[],
): Column[] {
  const documents = data.ids.map((_, number) => data.encoded(number));
  const columns = [
    column("name", "Document", "", data.titles, String),
    column("words", "Tokens", "Size", documents.map(tokenCount), whole),
    column("mentions", "Mentions", "Size", documents.map(mentionCount), whole),
  ];
  const name = data.metrics[metric];
  if (name !== undefined) columns.push(...scoreColumns(data, documents, metric, shown));
  if (!data.hasErrors) return columns;
  const shorts = shortNames(data.systems);
  data.systems.forEach((system, number) => {
    const cells = documents.map((document) => errorCount(document, number, data.kinds));
    columns.push(
      column(`errors ${number}`, system, "Errors", cells, whole, shorts[number]),
    );
  });
  return columns;
}

function scoreColumns(
  data: Data,
  documents: readonly EncodedDocument[],
  metric: number,
  shown: readonly number[],
): Column[] {
  const group = `${data.metrics[metric]} F1, %`;
  const scores = data.systems.map((_, system) =>
    documents.map((document) => scoreOf(document, system, metric)),
  );
  const shorts = shortNames(data.systems);
  const columns = data.systems.map((system, number) => {
    const text = (cell: Sortable, document: number): string =>
      documents[document]?.responses?.[number]?.missing ? "missing" : percent(cell);
    const cells = scores[number] ?? [];
    return column(`score ${number}`, system, group, cells, text, shorts[number]);
  });
  const [one = 0, other] = [...shown].sort((left, right) => left - right);
  if (other === undefined) return columns;
  const cells = documents.map((_, at) => {
    const left = scores[one]?.[at] ?? null;
    const right = scores[other]?.[at] ?? null;
    // Scores are hundredths when they are written: no digits appear by subtraction.
    return left === null || right === null
      ? null
      : Math.round(100 * (left - right)) / 100;
  });
  const head = `${data.systems[one]} − ${data.systems[other]}`;
  const key = `difference ${one} ${other}`;
  return [...columns, column(key, head, group, cells, signed, "diff.")];
}

function column(
  key: string,
  head: string,
  group: string,
  cells: readonly Sortable[],
  text: (cell: Sortable, document: number) => string,
  short: string = head,
): Column {
  return { key, head, short, group, cells, text };
}

/** Counts the letters with which all names start, up to the end of a word of theirs. */
export function sharedStart(names: readonly string[]): number {
  const [first = "", ...others] = names;
  let length = others.length ? first.length : 0;
  for (const name of others) {
    while (!name.startsWith(first.slice(0, length))) length -= 1;
  }
  while (length > 0 && /[\p{L}\p{M}\p{N}\p{Cs}]/u.test(first.charAt(length - 1)))
    length -= 1;
  return length;
}

const ROOM = 8; // letters in the head of a column

/** Cuts long names at their ends, or at their starts where these are alike. */
export function shortNames(names: readonly string[]): string[] {
  const letters = names.map((name) => [...name]);
  const starts = new Set(letters.map((name) => name.slice(0, ROOM - 1).join("")));
  const areAlike = starts.size < names.length;
  return letters.map((name) => {
    if (name.length <= ROOM) return name.join("");
    if (areAlike) return `…${name.slice(1 - ROOM).join("")}`;
    return `${name.slice(0, ROOM - 1).join("")}…`;
  });
}

/** Lists what stands above columns, and above how many. */
export function columnGroups(columns: readonly Column[]): [string, number][] {
  const groups: [string, number][] = [];
  for (const { group } of columns) {
    const last = groups.at(-1);
    if (last && last[0] === group) last[1] += 1;
    else groups.push([group, 1]);
  }
  return groups;
}

function tokenCount(document: EncodedDocument): number {
  return document.text.reduce((sum, sentence) => sum + lengthOf(sentence), 0);
}

/** Counts the tokens of a sentence without making them: all documents are counted. */
function lengthOf(sentence: string | string[]): number {
  if (typeof sentence !== "string") return sentence.length;
  let count = 1;
  for (let at = sentence.indexOf(" "); at >= 0; at = sentence.indexOf(" ", at + 1)) {
    count += 1;
  }
  return count;
}

function mentionCount(document: EncodedDocument): number {
  return (document.key ?? []).filter((entity) => entity > 0).length;
}

/** Counts the errors of the seven kinds; links are another view of the same. */
function errorCount(
  document: EncodedDocument,
  system: number,
  kinds: readonly string[],
): number {
  const errors = document.responses?.[system]?.errors ?? [];
  return errors.filter(([kind = 0]) => !LINKS.has(kinds[kind] ?? "")).length;
}

function scoreOf(
  document: EncodedDocument,
  system: number,
  metric: number,
): number | null {
  const score = document.responses?.[system]?.scores?.[metric];
  return score === undefined || score === null ? null : score / 100;
}

function whole(cell: Sortable): string {
  return typeof cell === "number" ? written(cell) : "";
}

function percent(cell: Sortable): string {
  return typeof cell === "number" ? cell.toFixed(2) : "–";
}

function signed(cell: Sortable): string {
  if (typeof cell !== "number") return "–";
  const digits = Math.abs(cell).toFixed(2);
  if (Number(digits) === 0) return digits;
  return cell < 0 ? `−${digits}` : `+${digits}`;
}
