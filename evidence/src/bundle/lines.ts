import { type Bytes, textOf } from '../ledger/bytes.ts';
import { type CanonicalValue, canonicalJson, isRecord } from '../ledger/canonical.ts';

export type LineFields = { readonly [key: string]: CanonicalValue };

/** Joins lines, each with its line break. */
export const joinLines = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

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
