import type { FreeText, Node, Qualifier } from './ast.ts';
import { nearestWord, QueryError, type QueryProblem, throwQueryError } from './errors.ts';
import { type Key, keyNames, maybeKey } from './keys.ts';
import {
  countWildcards,
  currentSpan,
  isAtGroupEnd,
  isAtWord,
  type QueryReader,
  queryLimits,
  readBareWord,
  readKeyword,
  readQuoted,
  skipSpace,
  throwTooComplex,
} from './reader.ts';
import { parsePredicate } from './values.ts';

export type Parsed = { node: Node | null } | { problem: QueryProblem };

export interface Abilities {
  /** Whether free text supports wildcards anywhere in a word, because the server searches with ClickHouse. */
  infixWildcards: boolean;
}

/** Parses a query; an empty one is null. Never throws. */
export function parseQuery(text: string, abilities?: Abilities): Parsed {
  try {
    return { node: parseQueryOrThrow(text, abilities) };
  } catch (error) {
    if (error instanceof QueryError) return { problem: error.problem };
    throw error;
  }
}

/** The same, but throws QueryError. */
export function parseQueryOrThrow(
  text: string,
  { infixWildcards }: Abilities = { infixWildcards: false },
): Node | null {
  if (text.length > queryLimits.characters)
    throwTooComplex(
      { start: queryLimits.characters, end: text.length },
      `more than ${queryLimits.characters} characters`,
    );
  const reader: QueryReader = { text, at: 0, terms: 0, wildcards: 0, depth: 0, infixWildcards };
  skipSpace(reader);
  if (reader.at === text.length) return null;
  const node = either(reader);
  if (reader.at < text.length)
    throwQueryError(currentSpan(reader), 'Missing opening parenthesis.', ['the end of the query']);
  return node;
}

function either(reader: QueryReader): Node {
  const of = [all(reader)];
  while (readKeyword(reader, 'OR')) of.push(all(reader));
  return joined('or', of);
}

function all(reader: QueryReader): Node {
  const of = [unary(reader)];
  for (;;) {
    if (readKeyword(reader, 'AND')) of.push(unary(reader));
    else if (isAtGroupEnd(reader) || isAtWord(reader, 'OR')) return joined('and', of);
    else of.push(unary(reader));
  }
}

const joined = (kind: 'and' | 'or', of: [Node, ...Node[]] | Node[]): Node => {
  const [first] = of;
  const last = of.at(-1);
  if (!first || !last) throw new Error('A junction needs a part');
  return of.length === 1 ? first : { kind, of, start: first.start, end: last.end };
};

function unary(reader: QueryReader): Node {
  const start = reader.at;
  if (!parseNot(reader)) return primary(reader);
  const of = primary(reader);
  return { kind: 'not', of, start, end: of.end };
}

/** `-`, `!` or the word NOT. */
function parseNot(reader: QueryReader): boolean {
  const { text, at } = reader;
  if (readKeyword(reader, 'NOT')) return true;
  if (text[at] !== '-' && text[at] !== '!') return false;
  reader.at += 1;
  return true;
}

function primary(reader: QueryReader): Node {
  const start = reader.at;
  const sign = reader.text[start];
  if (
    sign === undefined ||
    isAtWord(reader, 'OR') ||
    isAtWord(reader, 'AND') ||
    isAtWord(reader, 'NOT') ||
    sign === ')'
  )
    throwQueryError(
      currentSpan(reader),
      sign === undefined ? 'The query is incomplete at the end.' : 'A term is missing before this.',
      ['a word', 'a qualifier', '('],
    );
  if (sign === '(') return group(reader);
  reader.terms += 1;
  if (reader.terms > queryLimits.terms)
    throwTooComplex({ start, end: start + 1 }, `more than ${queryLimits.terms} terms`);
  if (sign === '"') return textOf(reader, start, readQuoted(reader), 'phrase');
  const name = /[A-Za-z][A-Za-z0-9_.]*(?=:)/y;
  name.lastIndex = start;
  const [word] = name.exec(reader.text) ?? [];
  // A URL is free text.
  if (word === undefined || reader.text.startsWith('://', start + word.length)) return bareText(reader);
  const key = maybeKey(word);
  if (key) return qualifier(reader, key, start, word.length);
  const near = nearestWord(word, keyNames);
  return throwQueryError(
    { start, end: start + word.length },
    `Unknown qualifier “${word}”${near === undefined ? '' : `, did you mean “${near}”`}? To search for it as text, put it in quotes.`,
    near === undefined ? [] : [`${near}:`],
  );
}

function group(reader: QueryReader): Node {
  const start = reader.at;
  reader.at += 1;
  reader.depth += 1;
  if (reader.depth > queryLimits.depth)
    throwTooComplex({ start, end: start + 1 }, `parentheses more than ${queryLimits.depth} deep`);
  skipSpace(reader);
  const node = either(reader);
  if (reader.text[reader.at] !== ')') throwQueryError({ start, end: start + 1 }, 'Missing closing parenthesis.', [')']);
  reader.at += 1;
  reader.depth -= 1;
  const span = { start, end: reader.at };
  skipSpace(reader);
  return { ...node, ...span };
}

function bareText(reader: QueryReader): FreeText {
  const start = reader.at;
  const word = readBareWord(reader);
  if (word === '')
    throwQueryError(currentSpan(reader), `“${reader.text[start]}” cannot start a word. Put it in quotes.`, ['a word']);
  const stars = word.split('*').length - 1;
  if (stars === 0) return textOf(reader, start, word, 'word');
  countWildcards(reader, stars, start);
  if (word === '*') throwQueryError({ start, end: reader.at }, 'A single * matches everything. Remove it.', ['a word']);
  if (stars === 1 && word.endsWith('*')) return textOf(reader, start, word.slice(0, -1), 'prefix');
  if (!reader.infixWildcards)
    throwQueryError(
      { start, end: reader.at },
      'In free text * can only end a word. Use it anywhere in the value of a qualifier. With CLICKHOUSE_URL, the operator of this server can allow it anywhere.',
      [`${word.replaceAll('*', '')}*`],
    );
  if (!/[\p{L}\p{N}]{3}/u.test(word))
    throwQueryError({ start, end: reader.at }, 'A partial word needs three consecutive letters or digits.', ['*part*']);
  return textOf(reader, start, word, 'part');
}

function textOf(reader: QueryReader, start: number, text: string, mode: FreeText['mode']): FreeText {
  const end = reader.at;
  if (text.trim() === '') throwQueryError({ start, end }, 'These quotes are empty.', ['a word']);
  skipSpace(reader);
  return { kind: 'text', mode, text, start, end };
}

function qualifier(reader: QueryReader, key: Key, start: number, length: number): Qualifier {
  reader.at += length + 1;
  const test = parsePredicate(reader, key);
  const end = reader.at;
  skipSpace(reader);
  return { kind: 'qualifier', key, test, start, end };
}
