/**
 * Slots: the lines below or above a text in which mentions are drawn.
 *
 * Within a sentence the longest mention chooses first, and takes the lowest slot that is
 * free over its whole length. So a mention stands further from the text the deeper it is
 * nested, crossing mentions stand in two slots, and a mention keeps its slot wherever
 * the lines of the text wrap. A gap belongs to its mention: it is drawn across.
 */

export interface Extent {
  readonly first: number;
  readonly last: number;
}

/** The slot of each mention, from 0; mentions are in the order of `extents`. */
export function slotsOf(
  extents: readonly Extent[],
  sentences: readonly Extent[],
): number[] {
  const slots = new Array<number>(extents.length).fill(0);
  for (const unit of unitsOf(extents, sentences)) {
    const taken: Set<number>[] = [];
    for (const number of unit.sort((a, b) => comesFirst(extents, a, b))) {
      const { first, last } = extents[number] as Extent;
      const slot = lowestFree(taken, first, last);
      slots[number] = slot;
      taken[slot] ??= new Set();
      for (let token = first; token <= last; token++) taken[slot].add(token);
    }
  }
  return slots;
}

/** How many slots each sentence needs. */
export function depthsOf(
  extents: readonly Extent[],
  slots: readonly number[],
  sentences: readonly Extent[],
): number[] {
  const depths = new Array<number>(sentences.length).fill(0);
  extents.forEach(({ first, last }, number) => {
    const end = sentenceOf(sentences, last);
    for (let at = sentenceOf(sentences, first); at <= end; at++) {
      depths[at] = Math.max(depths[at] ?? 0, (slots[number] ?? 0) + 1);
    }
  });
  return depths;
}

/** First and last token of each sentence; an empty one ends before it begins. */
export function sentenceExtents(
  sentences: readonly { readonly length: number }[],
): Extent[] {
  let first = 0;
  return sentences.map(({ length }) => {
    const extent = { first, last: first + length - 1 };
    first += length;
    return extent;
  });
}

/** The number of the sentence of a token, from 0. */
export function sentenceOf(sentences: readonly Extent[], token: number): number {
  let low = 0;
  let high = sentences.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sentences[middle]?.last ?? 0) < token) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Groups mentions by sentence; a mention of two sentences makes them one. */
function unitsOf(extents: readonly Extent[], sentences: readonly Extent[]): number[][] {
  const units: number[][] = [];
  let end = -1;
  const order = extents.map((_, number) => number);
  order.sort((a, b) => (extents[a]?.first ?? 0) - (extents[b]?.first ?? 0));
  for (const number of order) {
    const { first, last } = extents[number] as Extent;
    if (sentenceOf(sentences, first) > end || !units.length) units.push([]);
    end = Math.max(end, sentenceOf(sentences, last));
    units.at(-1)?.push(number);
  }
  return units;
}

function comesFirst(extents: readonly Extent[], a: number, b: number): number {
  const one = extents[a] as Extent;
  const other = extents[b] as Extent;
  const longer = other.last - other.first - (one.last - one.first);
  return longer || one.first - other.first || a - b;
}

function lowestFree(taken: readonly Set<number>[], first: number, last: number) {
  for (let slot = 0; ; slot++) {
    const used = taken[slot];
    if (!used) return slot;
    let token = first;
    while (token <= last && !used.has(token)) token++;
    if (token > last) return slot;
  }
}
