import { operators, type Predicate, type QualifierValue, type Span } from './ast.ts';
import { isDate } from './dates.ts';
import { nearestWord, throwQueryError } from './errors.ts';
import { comparableTypes, type Key, maybeValue, type QualifierDefinition, qualifierDefinition } from './keys.ts';
import {
  countWildcards,
  isWordEnd,
  type QueryReader,
  queryLimits,
  readBareWord,
  readQuoted,
  skipSpace,
  throwTooComplex,
} from './reader.ts';

/** Reads the predicate after the colon of a qualifier. */
export function parsePredicate(reader: QueryReader, key: Key): Predicate {
  const { text } = reader;
  const facts = qualifierDefinition(key);
  const operator = operators.find((sign) => text.startsWith(sign, reader.at));
  if (operator) {
    if (!isOrdered(facts))
      throwQueryError({ start: reader.at, end: reader.at + operator.length }, `${key} does not support comparison.`, [
        facts.example,
      ]);
    reader.at += operator.length;
    return { kind: 'compare', operator, value: compared(reader, key) };
  }
  if (text[reader.at] === '=') reader.at += 1;
  if (text[reader.at] === '[') return list(reader, key);
  if (text[reader.at] === '*' && isWordEnd(text[reader.at + 1])) {
    reader.at += 1;
    return { kind: 'exists' };
  }
  if (text.startsWith('*..', reader.at)) {
    ordered(reader, key, 3);
    reader.at += 3;
    return { kind: 'range', from: null, to: compared(reader, key) };
  }
  const start = reader.at;
  const from = value(reader, key);
  const isRange = text.startsWith('..', reader.at);
  requireComparison(key, from, { start, end: reader.at }, isRange);
  if (isRange) return range(reader, key, from);
  const values = [from];
  while (text[reader.at] === ',') {
    reader.at += 1;
    values.push(named(reader, key));
    countList(reader, values.length);
  }
  return { kind: 'any', values };
}

/** A value for comparison. */
const compared = (reader: QueryReader, key: Key): QualifierValue => checkedValue(reader, key, true);
/** A value for equality. */
const named = (reader: QueryReader, key: Key): QualifierValue => checkedValue(reader, key, false);

function checkedValue(reader: QueryReader, key: Key, isCompared: boolean): QualifierValue {
  const start = reader.at;
  const found = value(reader, key);
  requireComparison(key, found, { start, end: reader.at }, isCompared);
  return found;
}

/** In types with words and shares, words are matched and shares are compared. */
function requireComparison(key: Key, { text }: QualifierValue, span: Span, isCompared: boolean): void {
  const { type, example, values = [] } = qualifierDefinition(key);
  if (type !== 'share' || isShare(text) === isCompared) return;
  if (isCompared) throwQueryError(span, `${key} compares numbers from 0 to 1.`, [example]);
  throwQueryError(span, `${key} compares numbers. Use >= for a minimum.`, [`${key}:>=${text}`, ...values]);
}

const isShare = (word: string) => /^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?|\.\d{1,9})$/.test(word);

function range(reader: QueryReader, key: Key, from: QualifierValue): Predicate {
  ordered(reader, key, 2);
  reader.at += 2;
  if (reader.text[reader.at] === '*' && isWordEnd(reader.text[reader.at + 1])) {
    reader.at += 1;
    return { kind: 'range', from, to: null };
  }
  return { kind: 'range', from, to: compared(reader, key) };
}

function ordered(reader: QueryReader, key: Key, length: number): void {
  const facts = qualifierDefinition(key);
  if (!isOrdered(facts))
    throwQueryError({ start: reader.at, end: reader.at + length }, `${key} does not support ranges.`, [facts.example]);
}

const isOrdered = ({ type }: QualifierDefinition) => comparableTypes.has(type);

function list(reader: QueryReader, key: Key): Predicate {
  const open = reader.at;
  const values: QualifierValue[] = [];
  do {
    reader.at += 1;
    skipSpace(reader);
    values.push(named(reader, key));
    countList(reader, values.length);
    skipSpace(reader);
  } while (reader.text[reader.at] === ',');
  if (reader.text[reader.at] !== ']')
    throwQueryError({ start: open, end: reader.at }, 'The list is not closed.', [']']);
  reader.at += 1;
  return { kind: 'any', values };
}

function value(reader: QueryReader, key: Key): QualifierValue {
  const start = reader.at;
  const facts = qualifierDefinition(key);
  const isQuoted = reader.text[start] === '"';
  const word = isQuoted ? readQuoted(reader) : readBareWord(reader, isOrdered(facts));
  const span = { start, end: Math.min(Math.max(reader.at, start + 1), reader.text.length) };
  if (word.trim() === '') throwQueryError(span, `${key} needs a value.`, [facts.example, ...(facts.values ?? [])]);
  if (!isQuoted && word.includes('*')) {
    if (facts.type !== 'text') throwQueryError(span, `${key} does not support *.`, [facts.example]);
    countWildcards(reader, word.split('*').length - 1, start);
    return { text: word, wild: true };
  }
  return { text: checked(key, word, span) };
}

function countList({ at }: QueryReader, length: number): void {
  if (length > queryLimits.list)
    throwTooComplex({ start: at - 1, end: at }, `a list of more than ${queryLimits.list} values`);
}

/** Returns the normalized value, or throws the error for its type. */
function checked(key: Key, word: string, span: Span): string {
  const facts = qualifierDefinition(key);
  if (facts.type === 'share' && isShare(word)) return word;
  const found = maybeValue(facts, word);
  if (found === undefined) {
    const near = nearestWord(word, facts.values ?? []);
    throwQueryError(
      span,
      `${key} cannot be “${word}”${near === undefined ? '' : `, did you mean “${near}”?`}`,
      near === undefined ? facts.values : [near],
    );
  }
  if (facts.type === 'number' && !/^\d{1,9}$/.test(found))
    throwQueryError(span, `${key} requires an integer.`, [facts.example]);
  if (facts.type === 'date' && !isDate(found))
    throwQueryError(span, `“${found}” is not a valid date or time.`, [
      '2026-01-31',
      '2026-01-31T10:00:00Z',
      '-7d',
      '-24h',
      'today',
    ]);
  if (facts.type === 'id') {
    if (!uuid.test(found))
      throwQueryError(span, `${key} requires an ID, as in the address of the page.`, [facts.example]);
    return found.toLowerCase();
  }
  if (facts.type === 'sha') {
    if (!/^[0-9a-f]{4,64}$/i.test(found))
      throwQueryError(span, 'Enter 4 to 64 hexadecimal characters of the commit hash.', [facts.example]);
    return found.toLowerCase();
  }
  return found;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
