/**
 * Colours are those of key entities, on both sides. There are twelve; an entity after
 * the twelfth has the colour of an earlier one in another shade and dash. Numbers stand
 * beside them everywhere: colour is never the only sign.
 */

const COLOURS = 12;
const VARIANTS = 3;

/** The classes of an entity of the key; of none, for 0. */
export function colourOf(keyEntity: number): string {
  if (keyEntity <= 0) return "none";
  const number = keyEntity - 1;
  const variant = Math.floor(number / COLOURS) % VARIANTS;
  return variant ? `c${number % COLOURS} shade${variant}` : `c${number % COLOURS}`;
}
