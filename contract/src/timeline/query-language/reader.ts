import type { Span } from './ast.ts';
import { throwQueryError } from './errors.ts';

/** Queries beyond these limits are rejected as too expensive. */
export const queryLimits = { characters: 2048, terms: 64, depth: 8, list: 50, wildcards: 8 } as const;

/** The position of `parseQuery` in its text, and how much of the limits is used. */
export interface QueryReader {
  readonly text: string;
  at: number;
  terms: number;
  wildcards: number;
  depth: number;
  /** Whether wildcards may occur anywhere in a word of free text, see `Abilities`. */
  infixWildcards: boolean;
}

export function readQuoted(reader: QueryReader): string {
  const start = reader.at;
  let result = '';
  for (reader.at += 1; reader.text[reader.at] !== '"'; reader.at += 1) {
    if (reader.text[reader.at] === '\\') reader.at += 1;
    if (reader.at >= reader.text.length) throwQueryError({ start, end: start + 1 }, 'Missing closing quote.', ['"']);
    result += reader.text[reader.at];
  }
  reader.at += 1;
  return result;
}

/** Reads up to a space, bracket, comma or quote. With `stopsAtRange`, for ordered types, also up to two dots. */
export function readBareWord(reader: QueryReader, stopsAtRange = false): string {
  const pattern = stopsAtRange ? /(?:(?!\.\.)[^\s()[\],"])*/y : /[^\s()[\],"]*/y;
  pattern.lastIndex = reader.at;
  const [word = ''] = pattern.exec(reader.text) ?? [];
  reader.at += word.length;
  return word;
}

export const isWordEnd = (char: string | undefined) => char === undefined || /[\s)]/.test(char);
const isSpace = (char: string | undefined) => char !== undefined && /\s/.test(char);

export function skipSpace(reader: QueryReader): void {
  while (isSpace(reader.text[reader.at])) reader.at += 1;
}

/** Whether the text or the group in parentheses ends here. */
export const isAtGroupEnd = ({ text, at }: QueryReader) => at >= text.length || text[at] === ')';
export const isAtWord = ({ text, at }: QueryReader, word: string) =>
  text.startsWith(word, at) && (isWordEnd(text[at + word.length]) || text[at + word.length] === '(');

export function readKeyword(reader: QueryReader, word: string): boolean {
  if (!isAtWord(reader, word)) return false;
  reader.at += word.length;
  skipSpace(reader);
  return true;
}

export const currentSpan = ({ text, at }: QueryReader): Span => ({
  start: Math.min(at, text.length),
  end: Math.min(at + 1, text.length),
});

export function countWildcards(reader: QueryReader, stars: number, start: number): void {
  reader.wildcards += stars;
  if (reader.wildcards > queryLimits.wildcards)
    throwTooComplex({ start, end: reader.at }, `more than ${queryLimits.wildcards} asterisks`);
}

export const throwTooComplex = (span: Span, what: string): never =>
  throwQueryError(span, `This query has ${what}. Simplify it.`, [], 'query_too_complex');
