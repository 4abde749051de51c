/**
 * The data of a page, decoded. `src/corefkit/report/reader_data.py` writes it and
 * says what each number means.
 */

import { visible } from "./document_view";
import type { View } from "./state";

/** The JSON of a document, as it stands in the page. */
export interface EncodedDocument {
  id: string;
  /** The id without its redundant parts, if it has any. */
  title?: string;
  text: (string | string[])[];
  empty?: number[];
  /** Tokens without a space before them, as differences; absent if unknown. */
  joined?: number[];
  /** Sentences that begin a paragraph. */
  paragraphs?: number[];
  spans?: number[];
  gaps?: Record<string, number[]>;
  key?: number[];
  responses?: EncodedResponse[];
  wordless?: boolean;
  omitted?: boolean;
  named?: boolean;
}

export interface EncodedResponse {
  entities?: number[];
  twins?: Record<string, number>;
  errors?: number[][];
  links?: number[][];
  missing?: boolean;
  scores?: (number | null)[];
}

/** The JSON of a page. */
export interface EncodedData {
  format: number;
  key: string;
  systems: string[];
  metrics: string[];
  kinds: string[];
  types: string[];
  causes: string[];
  documents: EncodedDocument[];
}

/** First and last token of each part; one part unless the span has gaps. */
export type Parts = readonly (readonly [number, number])[];

export interface Span {
  /** Its number among the spans of the document. */
  readonly number: number;
  readonly first: number;
  readonly last: number;
  readonly parts: Parts;
}

/** One error of the seven kinds, or a link that the other side does not have. */
export interface ShownError {
  /** Without the id of the document: `divided#3-5`. */
  readonly id: string;
  readonly kind: string;
  readonly type: string;
  /** How many systems make it. */
  readonly madeBy: number;
  /** Of a link: the anaphor, then the antecedent. */
  readonly spans: readonly number[];
  /** The number of its entity; 0 for links. */
  readonly entity: number;
  /** Only links have these. */
  readonly link?: {
    readonly distance: number | null;
    readonly entitySize: number;
    readonly cause: string;
  };
}

/** One side of a document: the key, or one system. */
export interface Side {
  /** For each span the number of its entity, 0 for none. */
  readonly entityOf: readonly number[];
  /** The spans of each entity, by its number; there is none at 0. */
  readonly entities: readonly (readonly number[])[];
}

export interface ResponseSide extends Side {
  /** For each span of this side the span of its key mention; -1 where it has none. */
  readonly keySpan: readonly number[];
  readonly errors: readonly ShownError[];
  readonly isMissing: boolean;
  /** F1 of each metric in percent; null where it is not defined. */
  readonly scores: readonly (number | null)[];
}

export interface Document {
  readonly number: number;
  readonly id: string;
  readonly sentences: readonly (readonly string[])[];
  readonly empty: ReadonlySet<number>;
  /** Tokens without a space before them; null if the file does not have spaces. */
  readonly joined: ReadonlySet<number> | null;
  /** Sentences that begin a paragraph; none if the file does not have paragraphs. */
  readonly paragraphs: readonly number[];
  readonly spans: readonly Span[];
  readonly key: Side;
  readonly responses: readonly ResponseSide[];
  readonly hasWords: boolean;
  /** Whether the page has only the scores of the document. */
  readonly isOmitted: boolean;
}

/** What a page shows. Documents are decoded when they are first asked for. */
export interface Data {
  readonly key: string;
  readonly systems: readonly string[];
  readonly metrics: readonly string[];
  /** The kinds of errors; none where responses were not searched for them. */
  readonly kinds: readonly string[];
  readonly types: readonly string[];
  readonly ids: readonly string[];
  /** Whether responses were searched for errors; else the page is about its text. */
  readonly hasErrors: boolean;
  /** The view of a page whose address names none. */
  readonly startView: View;
  /** The ids as people read them. */
  readonly titles: readonly string[];
  document(number: number): Document;
  /** A document as it is encoded, for what needs all documents at once. */
  encoded(number: number): EncodedDocument;
}

export function decodeData(encoded: EncodedData): Data {
  if (encoded.format !== 1) {
    throw new Error(`this page has data of format ${encoded.format}, expected 1`);
  }
  const known = new Map<number, Document>();
  return {
    key: visible(encoded.key),
    systems: encoded.systems.map(visible),
    metrics: encoded.metrics,
    kinds: encoded.kinds,
    types: encoded.types,
    ids: encoded.documents.map((document) => document.id),
    hasErrors: encoded.systems.length > 0 && encoded.kinds.length > 0,
    // The steps of a walk-through name entities by their numbers.
    startView: encoded.systems.length && !encoded.kinds.length ? "overlay" : "text",
    titles: encoded.documents.map(({ id, title }) => visible(title ?? id)),
    document(number) {
      let document = known.get(number);
      if (!document) {
        document = decodeDocument(encoded, number);
        known.set(number, document);
      }
      return document;
    },
    encoded(number) {
      const document = encoded.documents[number];
      if (!document) throw new RangeError(`there is no document ${number}`);
      return document;
    },
  };
}

export function decodeDocument(data: EncodedData, number: number): Document {
  const encoded = data.documents[number];
  if (!encoded) throw new RangeError(`there is no document ${number}`);
  const spans = decodeSpans(encoded.spans ?? [], encoded.gaps ?? {});
  const key = side(encoded.key ?? [], spans.length);
  const sentences = encoded.text.map(tokensOf);
  const label = labels(encoded, spans, sentences);
  return {
    number,
    id: encoded.id,
    sentences,
    empty: new Set(encoded.empty ?? []),
    joined: encoded.joined ? new Set(sumsOf(encoded.joined)) : null,
    paragraphs: encoded.paragraphs ?? [],
    spans,
    key,
    responses: (encoded.responses ?? []).map((response) =>
      decodeResponse(response, data, key, spans, label),
    ),
    hasWords: !encoded.wordless,
    isOmitted: encoded.omitted ?? false,
  };
}

/** How ids of errors say where spans stand. */
function labels(
  encoded: EncodedDocument,
  spans: readonly Span[],
  sentences: readonly (readonly string[])[],
): (span: number) => string {
  // Without words, what stands for a token is its number or the name of a mention, and
  // tokens that no mention begins or ends with may be left out.
  const written = encoded.wordless ? sentences.flat() : null;
  const token = (number: number): string => written?.[number] ?? String(number);
  return (number) => {
    const { first, last } = spans[number] as Span;
    return encoded.named ? token(first) : `${token(first)}-${token(last)}`;
  };
}

/** Split a sentence as it is encoded into its tokens. */
export function tokensOf(sentence: string | string[]): string[] {
  return typeof sentence === "string" ? sentence.split(" ") : sentence;
}

function sumsOf(differences: readonly number[]): number[] {
  let sum = 0;
  return differences.map((difference) => {
    sum += difference;
    return sum;
  });
}

function decodeSpans(numbers: number[], gaps: Record<string, number[]>): Span[] {
  const spans: Span[] = [];
  let first = 0;
  for (let at = 0; at < numbers.length; at += 2) {
    first += numbers[at] ?? 0;
    const last = first + (numbers[at + 1] ?? 0);
    const number = spans.length;
    const tokens = gaps[number] ?? [first, last];
    const parts: [number, number][] = [];
    for (let part = 0; part < tokens.length; part += 2) {
      parts.push([tokens[part] ?? 0, tokens[part + 1] ?? 0]);
    }
    spans.push({ number, first, last, parts });
  }
  return spans;
}

function side(given: number[], spans: number): Side {
  const entityOf = given.length ? given : new Array<number>(spans).fill(0);
  const entities: number[][] = [[]];
  entityOf.forEach((entity, span) => {
    while (entities.length <= entity) entities.push([]);
    if (entity) entities[entity]?.push(span);
  });
  return { entityOf, entities };
}

function decodeResponse(
  encoded: EncodedResponse,
  data: EncodedData,
  key: Side,
  spans: readonly Span[],
  label: (span: number) => string,
): ResponseSide {
  const own = side(encoded.entities ?? [], spans.length);
  const twins = encoded.twins ?? {};
  const keySpan = own.entityOf.map((entity, span) => {
    if (!entity) return -1;
    return twins[span] ?? (key.entityOf[span] ? span : -1);
  });
  const used = new Map<string, number>();
  const id = (kind: string, span: number): string => {
    const place = `${kind}#${label(span)}`;
    const count = (used.get(place) ?? 0) + 1;
    used.set(place, count);
    return count === 1 ? place : `${place}~${count}`;
  };
  const errors = (encoded.errors ?? []).map((numbers): ShownError => {
    const [kind = 0, type = 0, madeBy = 0, entity = 0, ...about] = numbers;
    const name = data.kinds[kind] ?? "";
    return {
      id: id(name, about[0] ?? 0),
      kind: name,
      type: data.types[type] ?? "",
      madeBy,
      entity,
      spans: about,
    };
  });
  const links = (encoded.links ?? []).map((numbers): ShownError => {
    const [kind = 0, type = 0, madeBy = 0, anaphor = 0, antecedent = 0] = numbers;
    const [distance = -1, entitySize = 0, cause = 0] = numbers.slice(5);
    const name = data.kinds[kind] ?? "";
    return {
      id: id(name, anaphor),
      kind: name,
      type: data.types[type] ?? "",
      madeBy,
      entity: 0,
      spans: [anaphor, antecedent],
      link: {
        distance: distance < 0 ? null : distance,
        entitySize,
        cause: data.causes[cause] ?? "",
      },
    };
  });
  return {
    ...own,
    keySpan,
    errors: [...errors, ...links],
    isMissing: encoded.missing ?? false,
    scores: (encoded.scores ?? []).map((score) =>
      score === null ? null : score / 100,
    ),
  };
}
