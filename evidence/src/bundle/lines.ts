import { type Bytes, textOf } from '../ledger/bytes.ts';
import { canonical, isRecord, type Plain } from '../ledger/canonical.ts';

export type LineFields = { readonly [key: string]: Plain };

/** Each line with its line break. */
export const textOfLines = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** Reads JSON by lines, each in its canonical form with exactly these fields. Throws, naming the line, for anything else. */
export function linesOf(path: string, bytes: Bytes, fields: readonly string[]): LineFields[] {
  const text = textOf(bytes);
  if (text !== '' && !text.endsWith('\n')) throw new Error(`${path} is truncated`);
  const expected = [...fields].sort().join();
  return text
    .split('\n')
    .slice(0, -1)
    .map((line, index) => {
      const value = parsed(line, `${path}, line ${index + 1},`);
      if (!isRecord(value) || Object.keys(value).join() !== expected) {
        throw new Error(`${path}, line ${index + 1}, has unexpected or missing fields`);
      }
      return value;
    });
}

/** Reads one JSON value in its canonical form. */
export function parsed(text: string, what: string): Plain {
  const value = attempt(text);
  if (value === undefined || canonical(value) !== text) throw new Error(`${what} is not in canonical form`);
  return value;
}

function attempt(text: string): Plain | undefined {
  try {
    return JSON.parse(text) as Plain;
  } catch {
    return undefined;
  }
}
