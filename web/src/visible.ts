/**
 * Text of the input as people can read it. Characters that nobody sees, that end lines
 * or that turn the direction of the text behind them are written out as Python writes
 * them: `\x1b`, `\u202e`. Those that join letters, as Persian and emoji need, stay.
 */

const UNSEEN =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u206f\ufeff]/gu;
const SHORT: Readonly<Record<string, string>> = {
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
};

export function visible(text: string): string {
  return text.replace(UNSEEN, (letter) => SHORT[letter] ?? writtenOut(letter));
}

function writtenOut(letter: string): string {
  const code = letter.charCodeAt(0).toString(16);
  return code.length > 2
    ? `\\u${code.padStart(4, "0")}`
    : `\\x${code.padStart(2, "0")}`;
}
