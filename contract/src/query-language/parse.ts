import { type Node, operators, type Qualifier, type Span, type Test, type Text, type Value } from './ast.ts';
import { isDate } from './dates.ts';
import { nearest, QueryError, type QueryProblem, refuse } from './errors.ts';
import { factsOf, type Key, type KeyFacts, keyNames, maybeKey, maybeValue } from './keys.ts';

/** Past these a query is refused: it would cost more than it says. */
export const queryLimits = { characters: 2048, terms: 64, depth: 8, list: 50, wildcards: 8 } as const;

export type Parsed = { node: Node | null } | { problem: QueryProblem };

/** Reads a query; an empty one is null. Never throws. */
export function parseQuery(text: string): Parsed {
  try {
    return { node: parse(text) };
  } catch (error) {
    if (error instanceof QueryError) return { problem: error.problem };
    throw error;
  }
}

/** The same, throwing QueryError. */
export function parse(text: string): Node | null {
  if (text.length > queryLimits.characters)
    tooMuch({ start: queryLimits.characters, end: text.length }, `more than ${queryLimits.characters} characters`);
  const reader: Reader = { text, at: 0, terms: 0, wildcards: 0, depth: 0 };
  space(reader);
  if (reader.at === text.length) return null;
  const node = either(reader);
  if (reader.at < text.length)
    refuse(here(reader), 'This closing parenthesis opens nowhere.', ['the end of the query']);
  return node;
}

interface Reader {
  readonly text: string;
  at: number;
  terms: number;
  wildcards: number;
  depth: number;
}

function either(reader: Reader): Node {
  const of = [all(reader)];
  while (takeWord(reader, 'OR')) of.push(all(reader));
  return joined('or', of);
}

function all(reader: Reader): Node {
  const of = [unary(reader)];
  for (;;) {
    if (takeWord(reader, 'AND')) of.push(unary(reader));
    else if (atEnd(reader) || atWord(reader, 'OR')) return joined('and', of);
    else of.push(unary(reader));
  }
}

const joined = (kind: 'and' | 'or', of: [Node, ...Node[]] | Node[]): Node => {
  const [first] = of;
  const last = of.at(-1);
  if (!first || !last) throw new Error('A junction needs a part');
  return of.length === 1 ? first : { kind, of, start: first.start, end: last.end };
};

function unary(reader: Reader): Node {
  const start = reader.at;
  if (!takeNot(reader)) return primary(reader);
  const of = primary(reader);
  return { kind: 'not', of, start, end: of.end };
}

/** `-`, `!` or the word NOT. */
function takeNot(reader: Reader): boolean {
  const { text, at } = reader;
  if (takeWord(reader, 'NOT')) return true;
  if (text[at] !== '-' && text[at] !== '!') return false;
  reader.at += 1;
  return true;
}

function primary(reader: Reader): Node {
  const start = reader.at;
  const sign = reader.text[start];
  if (sign === undefined || atWord(reader, 'OR') || atWord(reader, 'AND') || atWord(reader, 'NOT') || sign === ')')
    refuse(
      here(reader),
      sign === undefined ? 'Something is missing at the end.' : 'Something is missing before this.',
      ['a word', 'a qualifier', '('],
    );
  if (sign === '(') return group(reader);
  reader.terms += 1;
  if (reader.terms > queryLimits.terms) tooMuch({ start, end: start + 1 }, `more than ${queryLimits.terms} terms`);
  if (sign === '"') return textOf(reader, start, quoted(reader), 'phrase');
  const name = /[A-Za-z][A-Za-z0-9_.]*(?=:)/y;
  name.lastIndex = start;
  const [word] = name.exec(reader.text) ?? [];
  // An address is text.
  if (word === undefined || reader.text.startsWith('://', start + word.length)) return bareText(reader);
  const key = maybeKey(word);
  if (key) return qualifier(reader, key, start, word.length);
  const near = nearest(word, keyNames);
  return refuse(
    { start, end: start + word.length },
    `Unknown qualifier “${word}”${near === undefined ? '' : `, did you mean “${near}”`}? To search for it as text, put it in quotes.`,
    near === undefined ? [] : [`${near}:`],
  );
}

function group(reader: Reader): Node {
  const start = reader.at;
  reader.at += 1;
  reader.depth += 1;
  if (reader.depth > queryLimits.depth)
    tooMuch({ start, end: start + 1 }, `parentheses more than ${queryLimits.depth} deep`);
  space(reader);
  const node = either(reader);
  if (reader.text[reader.at] !== ')') refuse({ start, end: start + 1 }, 'This parenthesis is never closed.', [')']);
  reader.at += 1;
  reader.depth -= 1;
  const span = { start, end: reader.at };
  space(reader);
  return { ...node, ...span };
}

function bareText(reader: Reader): Text {
  const start = reader.at;
  const word = bare(reader);
  if (word === '') refuse(here(reader), `“${reader.text[start]}” cannot begin a word. Put it in quotes.`, ['a word']);
  const stars = word.split('*').length - 1;
  if (stars === 0) return textOf(reader, start, word, 'word');
  countWildcards(reader, stars, start);
  if (word === '*') refuse({ start, end: reader.at }, 'A lone * says nothing. Leave it out.', ['a word']);
  if (stars > 1 || !word.endsWith('*'))
    refuse(
      { start, end: reader.at },
      'In free text * can only end a word. Use it anywhere in the value of a qualifier.',
      [`${word.replaceAll('*', '')}*`],
    );
  return textOf(reader, start, word.slice(0, -1), 'prefix');
}

function textOf(reader: Reader, start: number, text: string, mode: Text['mode']): Text {
  const end = reader.at;
  if (text.trim() === '') refuse({ start, end }, 'There is nothing between these quotes.', ['a word']);
  space(reader);
  return { kind: 'text', mode, text, start, end };
}

function qualifier(reader: Reader, key: Key, start: number, length: number): Qualifier {
  reader.at += length + 1;
  const test = testOf(reader, key);
  const end = reader.at;
  space(reader);
  return { kind: 'qualifier', key, test, start, end };
}

function testOf(reader: Reader, key: Key): Test {
  const { text } = reader;
  const facts = factsOf(key);
  const operator = operators.find((sign) => text.startsWith(sign, reader.at));
  if (operator) {
    if (!isOrdered(facts))
      refuse({ start: reader.at, end: reader.at + operator.length }, `${key} has no order to compare by.`, [
        facts.example,
      ]);
    reader.at += operator.length;
    return { kind: 'compare', operator, value: value(reader, key) };
  }
  if (text[reader.at] === '=') reader.at += 1;
  if (text[reader.at] === '[') return list(reader, key);
  if (text[reader.at] === '*' && isBreak(text[reader.at + 1])) {
    reader.at += 1;
    return { kind: 'exists' };
  }
  if (text.startsWith('*..', reader.at)) {
    ordered(reader, key, 3);
    reader.at += 3;
    return { kind: 'range', from: null, to: value(reader, key) };
  }
  const from = value(reader, key);
  if (text.startsWith('..', reader.at)) return range(reader, key, from);
  const values = [from];
  while (text[reader.at] === ',') {
    reader.at += 1;
    values.push(value(reader, key));
    countList(reader, values.length);
  }
  return { kind: 'any', values };
}

function range(reader: Reader, key: Key, from: Value): Test {
  ordered(reader, key, 2);
  reader.at += 2;
  if (reader.text[reader.at] === '*' && isBreak(reader.text[reader.at + 1])) {
    reader.at += 1;
    return { kind: 'range', from, to: null };
  }
  return { kind: 'range', from, to: value(reader, key) };
}

function ordered(reader: Reader, key: Key, length: number): void {
  const facts = factsOf(key);
  if (!isOrdered(facts))
    refuse({ start: reader.at, end: reader.at + length }, `${key} has no order, so it has no ranges.`, [facts.example]);
}

const isOrdered = ({ type }: KeyFacts) => type === 'ordered' || type === 'number' || type === 'date';

function list(reader: Reader, key: Key): Test {
  const open = reader.at;
  const values: Value[] = [];
  do {
    reader.at += 1;
    space(reader);
    values.push(value(reader, key));
    countList(reader, values.length);
    space(reader);
  } while (reader.text[reader.at] === ',');
  if (reader.text[reader.at] !== ']') refuse({ start: open, end: reader.at }, 'This list is never closed.', [']']);
  reader.at += 1;
  return { kind: 'any', values };
}

function value(reader: Reader, key: Key): Value {
  const start = reader.at;
  const facts = factsOf(key);
  const isQuoted = reader.text[start] === '"';
  const word = isQuoted ? quoted(reader) : bare(reader, isOrdered(facts));
  const span = { start, end: Math.min(Math.max(reader.at, start + 1), reader.text.length) };
  if (word.trim() === '') refuse(span, `${key} needs a value.`, [facts.example, ...(facts.values ?? [])]);
  if (!isQuoted && word.includes('*')) {
    if (facts.type !== 'text') refuse(span, `${key} takes no *.`, [facts.example]);
    countWildcards(reader, word.split('*').length - 1, start);
    return { text: word, wild: true };
  }
  return { text: checked(key, word, span) };
}

/** The value as it is kept, or the refusal that fits its type. */
function checked(key: Key, word: string, span: Span): string {
  const facts = factsOf(key);
  const found = maybeValue(facts, word);
  if (found === undefined) {
    const near = nearest(word, facts.values ?? []);
    refuse(
      span,
      `${key} cannot be “${word}”${near === undefined ? '' : `, did you mean “${near}”?`}`,
      near === undefined ? facts.values : [near],
    );
  }
  if (facts.type === 'number' && !/^\d{1,9}$/.test(found))
    refuse(span, `${key} takes a whole number.`, [facts.example]);
  if (facts.type === 'date' && !isDate(found))
    refuse(span, `“${found}” is no day and no time.`, ['2026-01-31', '2026-01-31T10:00:00Z', '-7d', '-24h', 'today']);
  if (facts.type === 'sha') {
    if (!/^[0-9a-f]{4,64}$/i.test(found))
      refuse(span, 'A commit is named by 4 to 64 characters of its sha: digits and letters up to f.', [facts.example]);
    return found.toLowerCase();
  }
  return found;
}

function quoted(reader: Reader): string {
  const start = reader.at;
  let said = '';
  for (reader.at += 1; reader.text[reader.at] !== '"'; reader.at += 1) {
    if (reader.text[reader.at] === '\\') reader.at += 1;
    if (reader.at >= reader.text.length) refuse({ start, end: start + 1 }, 'This quote is never closed.', ['"']);
    said += reader.text[reader.at];
  }
  reader.at += 1;
  return said;
}

/** Up to a space, bracket, comma or quote; in what has an order two dots end a value too. */
function bare(reader: Reader, ends = false): string {
  const pattern = ends ? /(?:(?!\.\.)[^\s()[\],"])*/y : /[^\s()[\],"]*/y;
  pattern.lastIndex = reader.at;
  const [word = ''] = pattern.exec(reader.text) ?? [];
  reader.at += word.length;
  return word;
}

const isBreak = (sign: string | undefined) => sign === undefined || /[\s)]/.test(sign);
const isSpace = (sign: string | undefined) => sign !== undefined && /\s/.test(sign);

function space(reader: Reader): void {
  while (isSpace(reader.text[reader.at])) reader.at += 1;
}

const atEnd = ({ text, at }: Reader) => at >= text.length || text[at] === ')';
const atWord = ({ text, at }: Reader, word: string) =>
  text.startsWith(word, at) && (isBreak(text[at + word.length]) || text[at + word.length] === '(');

function takeWord(reader: Reader, word: string): boolean {
  if (!atWord(reader, word)) return false;
  reader.at += word.length;
  space(reader);
  return true;
}

const here = ({ text, at }: Reader): Span => ({ start: Math.min(at, text.length), end: Math.min(at + 1, text.length) });

function countList({ at }: Reader, length: number): void {
  if (length > queryLimits.list) tooMuch({ start: at - 1, end: at }, `a list of more than ${queryLimits.list} values`);
}

function countWildcards(reader: Reader, stars: number, start: number): void {
  reader.wildcards += stars;
  if (reader.wildcards > queryLimits.wildcards)
    tooMuch({ start, end: reader.at }, `more than ${queryLimits.wildcards} asterisks`);
}

const tooMuch = (span: Span, what: string): never =>
  refuse(span, `This query has ${what}. Ask for less at once.`, [], 'query_too_complex');
