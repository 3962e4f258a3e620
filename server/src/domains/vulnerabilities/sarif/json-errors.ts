import { isAscii, isUtf8 } from 'node:buffer';

/** Counts the UTF-16 code units, as in editors and JavaScript, of characters that begin in a range of UTF-8. */
export function countCharacters(bytes: Buffer, from: number, to: number): number {
  // Every chunk of a document is counted, and most have no other characters.
  if (isAscii(bytes.subarray(from, to))) return Math.max(0, to - from);
  let count = 0;
  for (let i = from; i < to; i += 1) {
    const byte = bytes[i] as number;
    // Continuation bytes count nothing; a four-byte character is a surrogate pair.
    if ((byte & 0xc0) !== 0x80) count += byte >= 0xf0 ? 2 : 1;
  }
  return count;
}

/** Returns the position of the first invalid UTF-8 sequence in invalid bytes. */
export function firstInvalidUtf8(bytes: Buffer): number {
  // Decoding replaces invalid sequences: up to the first, both are equal.
  const decoded = Buffer.from(bytes.toString('utf8'));
  let at = 0;
  while (at < bytes.length && bytes[at] === decoded[at]) at += 1;
  while (at > 0 && !isUtf8(bytes.subarray(0, at))) at -= 1;
  return at;
}

/** Returns the position of the syntax error in a text, and whether the text is only truncated. */
export function findSyntaxError(text: string): { at: number; isCut: boolean } {
  const at = errorAt(text);
  if (at !== undefined) return { at, isCut: at >= text.length };
  // V8 reports no position for this error. A prefix before it is only incomplete: bisect to find it.
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const part = text.slice(0, middle);
    const found = errorAt(part);
    if (found !== undefined && found >= middle) good = middle;
    else bad = middle;
  }
  // An invalid literal is reported at its beginning.
  while (good > 0 && /[a-z]/i.test(text[good - 1] ?? '')) good -= 1;
  return { at: good, isCut: false };
}

/** Returns the position that V8 reports; the length of a truncated text; undefined if V8 reports none. */
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
