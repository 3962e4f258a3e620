import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyQuery } from './arbitrary.fixture.ts';
import { narrowedTo, partsOf, withoutPart, withoutRange, withRange, withValue, withWords } from './edit.ts';
import { parseQuery } from './parse.ts';
import { printQuery } from './print.ts';

test.each([
  ['', []],
  ['kind:commit', ['kind:commit']],
  ['kind:commit  -actor:"Ada Lovelace" ledger', ['kind:commit', '-actor:"Ada Lovelace"', 'ledger']],
  ['kind:commit AND repo:acme/api', ['kind:commit', 'repo:acme/api']],
  ['(kind:commit OR kind:tool) site:*.openai.com', ['(kind:commit OR kind:tool)', 'site:*.openai.com']],
  ['kind:commit OR ledger', ['kind:commit OR ledger']],
  ['(kind:commit ledger)', ['(kind:commit ledger)']],
  ['(a b) (c d)', ['(a b)', '(c d)']],
  ['NOT (a OR b) c', ['NOT (a OR b)', 'c']],
  ['kind:', []],
])('combines %s as alternatives', (text, parts) => {
  expect(partsOf(text).map((part) => part.text)).toEqual(parts);
});

test.each([
  ['kind:commit ledger', 0, 'ledger'],
  ['kind:commit AND ledger', 0, 'ledger'],
  ['kind:commit AND ledger', 1, 'kind:commit'],
  ['a kind:commit b', 1, 'a b'],
  ['kind:commit', 0, ''],
  ['source:AND category:sast ledger', 1, 'source:AND ledger'],
  ['a AND-b c', 0, 'AND-b c'],
  ['(a)AND(b) c', 0, '(b) c'],
  ['(a)AND(b) c', 1, '(a) c'],
])('reduces %s by part %i to %s', (text, index, left) => {
  const part = partsOf(text)[index];
  expect(part && withoutPart(text, part)).toBe(left);
});

test.each([
  ['', 'repo', 'acme/api', false, 'repo:acme/api'],
  ['ledger', 'repo', 'acme/api', false, 'ledger repo:acme/api'],
  ['ledger', 'actor', 'Ada Lovelace', true, 'ledger -actor:"Ada Lovelace"'],
  ['repo:acme/api ledger', 'repo', 'acme/api', false, 'repo:acme/api ledger'],
  ['repository:acme/api', 'repo', 'acme/api', false, 'repository:acme/api'],
  ['-repo:acme/api ledger', 'repo', 'acme/api', false, 'ledger repo:acme/api'],
  ['repo:acme/api ledger', 'repo', 'acme/api', true, 'ledger -repo:acme/api'],
  ['a OR b', 'repo', 'acme/api', false, '(a OR b) repo:acme/api'],
  ['kind:', 'repo', 'acme/api', false, 'kind:'],
] as const)('combines %s and %s %s, excluded %s, into %s', (text, key, value, exclude, then) => {
  expect(withValue(text, key, value, { exclude })).toBe(then);
});

test.each([
  ['', 'ledger', 'ledger'],
  ['ledger', 'ledger', 'ledger'],
  ['a OR b', 'make refunds', '(a OR b) "make refunds"'],
  ['', 'kind:commit', '"kind:commit"'],
  ['', 'OR', '"OR"'],
])('combines %s and the words %s into %s', (text, words, then) => {
  expect(withWords(text, words)).toBe(then);
});

test('replaces the former time range', () => {
  const from = '2026-01-01T00:00:00Z';
  const to = '2026-01-02T00:00:00Z';
  expect(withRange('after:-7d ledger before:today', from, to)).toBe(`ledger after:${from} before:${to}`);
  expect(withoutRange(`ledger after:${from} before:${to}`)).toBe('ledger');
  expect(withoutRange('a OR after:-7d')).toBe('a OR after:-7d');
});

test('divides any query into parts, each of which can be removed or added', () => {
  fc.assert(
    fc.property(anyQuery(), (query) => {
      const text = printQuery(query);
      fc.pre('node' in parseQuery(text));
      const parts = partsOf(text);
      expect(parts.map((part) => part.text).join(' ')).toBe(text);
      for (const part of parts) expect(parseQuery(withoutPart(text, part))).toHaveProperty('node');
      const added = withWords(withoutRange(text), 'something new');
      if ('node' in parseQuery(added)) expect(partsOf(added).at(-1)?.text).toBe('"something new"');
    }),
  );
});

test.each([
  ['', 'repo', 'acme/api', 'repo:acme/api'],
  ['repo:acme/api,acme/web kind:commit', 'repo', 'acme/api', 'kind:commit repo:acme/api'],
  ['kind:commit OR ledger', 'repo', 'acme/api', '(kind:commit OR ledger) repo:acme/api'],
  ['-repo:acme/web', 'repo', 'acme/api', '-repo:acme/web repo:acme/api'],
  // An event can have several agents.
  ['agent:claude', 'agent', 'cursor', 'agent:claude agent:cursor'],
  ['hour:22..5', 'hour', '23', 'hour:23'],
] as const)('narrows %s to one value of %s', (text, key, value, narrowed) => {
  expect(narrowedTo(text, key, value)).toBe(narrowed);
});
