import { operators, type Span, type Test, type Value } from './ast.ts';
import { isDate } from './dates.ts';
import { nearest, refuse } from './errors.ts';
import { factsOf, type Key, type KeyFacts, maybeValue } from './keys.ts';
import { bare, countWildcards, isBreak, queryLimits, quoted, type Reader, space, tooMuch } from './reader.ts';

/** What stands behind the colon of a qualifier, read up to its end. */
export function testOf(reader: Reader, key: Key): Test {
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

function countList({ at }: Reader, length: number): void {
  if (length > queryLimits.list) tooMuch({ start: at - 1, end: at }, `a list of more than ${queryLimits.list} values`);
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
