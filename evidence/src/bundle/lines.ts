import { type Bytes, textOf } from '../ledger/bytes.ts';
import { type CanonicalValue, canonicalJson, isRecord } from '../ledger/canonical.ts';

export type LineFields = { readonly [key: string]: CanonicalValue };

/** Joins lines, each with its line break. */
export const joinLines = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** The same as bytes. Neither all lines nor their text are in memory, which in large bundles is most of it. */
export function encodeLines(lines: Iterable<string>): Bytes {
  const encoder = new TextEncoder();
  let [bytes, length] = [new Uint8Array(INITIAL_BYTES), 0];
  for (const line of lines) {
    const needed = length + line.length * MAX_BYTES_PER_UNIT + 1;
    if (needed > bytes.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * bytes.length));
      larger.set(bytes.subarray(0, length));
      bytes = larger;
    }
    length += encoder.encodeInto(line, bytes.subarray(length)).written;
    bytes[length] = LINE_BREAK;
    length += 1;
  }
  return bytes.subarray(0, length);
}

const INITIAL_BYTES = 65_536;
/** UTF-8 has at most three bytes for a unit of UTF-16. */
const MAX_BYTES_PER_UNIT = 3;
const LINE_BREAK = 10;

/** Computes the texts of items one after another, so that each can be released before the next. */
export function* textsOf<Item>(items: Iterable<Item>, textOf: (item: Item) => string): Generator<string> {
  for (const item of items) yield textOf(item);
}

/** Parses JSON lines in canonical form with exactly these fields. Throws with the line number otherwise. */
export function parseCanonicalLines(path: string, bytes: Bytes, fields: readonly string[]): LineFields[] {
  const text = textOf(bytes);
  if (text !== '' && !text.endsWith('\n')) throw new Error(`${path} is truncated`);
  const expected = [...fields].sort().join();
  return text
    .split('\n')
    .slice(0, -1)
    .map((line, index) => {
      const value = parseCanonicalJson(line, `${path}, line ${index + 1},`);
      if (!isRecord(value) || Object.keys(value).join() !== expected) {
        throw new Error(`${path}, line ${index + 1}, has unexpected or missing fields`);
      }
      return value;
    });
}

/** Parses one JSON value in canonical form. */
export function parseCanonicalJson(text: string, what: string): CanonicalValue {
  const value = attempt(text);
  if (value === undefined || canonicalJson(value) !== text) throw new Error(`${what} is not in canonical form`);
  return value;
}

function attempt(text: string): CanonicalValue | undefined {
  try {
    return JSON.parse(text) as CanonicalValue;
  } catch {
    return undefined;
  }
}
