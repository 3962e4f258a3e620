import { isUtf8 } from 'node:buffer';

/** How many characters, as editors and JavaScript count them, begin in a range of UTF-8. */
export function charactersIn(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i += 1) {
    const byte = bytes[i] as number;
    // Bytes that continue a character count nothing; one of four bytes is a pair of surrogates.
    if ((byte & 0xc0) !== 0x80) count += byte >= 0xf0 ? 2 : 1;
  }
  return count;
}

/** Where the first bytes stand that are no character of UTF-8, in bytes of which some are none. */
export function firstNotUtf8(bytes: Buffer): number {
  // Decoding replaces what is no character: up to there both are the same.
  const decoded = Buffer.from(bytes.toString('utf8'));
  let at = 0;
  while (at < bytes.length && bytes[at] === decoded[at]) at += 1;
  while (at > 0 && !isUtf8(bytes.subarray(0, at))) at -= 1;
  return at;
}

/** Where a text stops being JSON, and whether nothing is wrong with it but that it ends there. */
export function syntaxErrorIn(text: string): { at: number; isCut: boolean } {
  const at = errorAt(text);
  if (at !== undefined) return { at, isCut: at >= text.length };
  // V8 names no position for this one. What ends before it is only incomplete: halve the text to find it.
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const part = text.slice(0, middle);
    const found = errorAt(part);
    if (found !== undefined && found >= middle) good = middle;
    else bad = middle;
  }
  // A word that is none is wrong where it begins.
  while (good > 0 && /[a-z]/i.test(text[good - 1] ?? '')) good -= 1;
  return { at: good, isCut: false };
}

/** The position V8 reports; the length of a text that only ends too early; undefined where V8 reports none. */
function errorAt(text: string): number | undefined {
  try {
    JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    if (/^Unterminated|^Unexpected end/.test(message)) return text.length;
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    return position === undefined ? undefined : Number(position);
  }
  // Complete so far.
  return text.length;
}
