import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../scripts/properties.ts';
import { anyQuery } from './arbitrary.fixture.ts';
import { isSameQuery } from './ast.ts';
import { parseQuery, parseQueryOrThrow } from './parse.ts';
import { printQuery } from './print.ts';

const nowhere = { start: 0, end: 0 };
const read = (text: string) => {
  const parsed = parseQuery(text);
  if ('problem' in parsed) throw new Error(`${text}: ${parsed.problem.message}`);
  return parsed.node;
};
const problem = (text: string) => {
  const parsed = parseQuery(text);
  return 'problem' in parsed ? parsed.problem : undefined;
};
/** The marked part of the query. */
const marked = (text: string) => text.slice(problem(text)?.start, problem(text)?.end);

test('parses a printed query into the same query', () => {
  fc.assert(
    fc.property(anyQuery(), (query) => {
      const text = printQuery(query);
      const parsed = parseQuery(text);
      // Random queries can exceed the limits of length and wildcards.
      if ('problem' in parsed) expect(parsed.problem.code).toBe('query_too_complex');
      else expect(isSameQuery(parsed.node, query), text).toBe(true);
    }),
    {
      numRuns: propertyRuns(200),
      // `actor://` is parsed as a URL and therefore as a word.
      examples: [[{ ...nowhere, kind: 'qualifier', key: 'actor', test: { kind: 'any', values: [{ text: '//' }] } }]],
    },
  );
});

test('parses or rejects any input with a position in it', () => {
  const pieces = fc.constantFrom(
    'kind:',
    'pr:',
    'after:',
    '-',
    '!',
    'NOT ',
    ' OR ',
    ' AND ',
    '(',
    ')',
    '[',
    ']',
    ',',
    '..',
    '*',
    '"',
    '\\',
    '>=',
    ' ',
    'a',
    '12',
    'https://x',
    'é',
    '\u0000',
    '\ud800',
  );
  const typed = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.array(pieces, { maxLength: 20 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(typed, (text) => {
      const wrong = problem(text);
      if (!wrong) return;
      expect(wrong.start).toBeGreaterThanOrEqual(0);
      expect(wrong.end).toBeGreaterThanOrEqual(wrong.start);
      expect(wrong.end).toBeLessThanOrEqual(text.length);
      expect(wrong.message).not.toBe('');
    }),
    { numRuns: propertyRuns(300) },
  );
});

test.each([
  ['', ''],
  ['   ', ''],
  ['Kind:Commit ACTOR:alice', 'kind:commit actor:alice'],
  ['by:ada repository:acme/api', 'actor:ada repo:acme/api'],
  [
    'kind:vuln severity:>=high repo:[acme/api, acme/web]',
    'kind:vulnerability severity:>=high repo:[acme/api,acme/web]',
  ],
  [
    '(kind:ide_clipboard OR kind:browser_clipboard) site:*.openai.com after:-7d',
    '(kind:ide_clipboard OR kind:browser_clipboard) site:*.openai.com after:-7d',
  ],
  [
    '"drop table" -kind:web branch:release/* date:2026-01-01..2026-03-31',
    '"drop table" -kind:web_page_view branch:release/* date:2026-01-01..2026-03-31',
  ],
  ['pr:12 repo:acme/api NOT (actor:@me OR kind:tool)', 'pr:12 repo:acme/api -(actor:@me OR kind:tool)'],
  ['a OR b c', 'a OR b c'],
  ['(a OR b) c', '(a OR b) c'],
  ['((a))', 'a'],
  ['a AND b', 'a b'],
  ['and or not', 'and or not'],
  ['"OR"', '"OR"'],
  ['!a -b NOT c', '-a -b -c'],
  ['-(-a)', '-(-a)'],
  ['pr:>100', 'pr:>100'],
  ['pr:=12', 'pr:12'],
  ['pr:10..20', 'pr:10..20'],
  ['pr:*..20', 'pr:*..20'],
  ['pr:10..*', 'pr:10..*'],
  ['pr:*', 'pr:*'],
  ['repo:a..b', 'repo:a..b'],
  ['ai:0.25..0.5', 'ai:0.25..0.5'],
  ['ai:*..1', 'ai:*..1'],
  ['role:Code_Contributor', 'role:contributor'],
  ['kind:commit,pr', 'kind:[commit,pull_request]'],
  ['actor:"Ada Lovelace"', 'actor:"Ada Lovelace"'],
  ['file:src/a:b', 'file:src/a:b'],
  ['auth* token', 'auth* token'],
  ['https://example.org/x', 'https://example.org/x'],
  ['12:30', '12:30'],
  ['"say \\"hi\\" \\\\"', '"say \\"hi\\" \\\\"'],
])('parses %s as %s', (text, printed) => {
  expect(printQuery(read(text))).toBe(printed);
});

test.each([
  ['sevrity:high', 'sevrity', 'did you mean “severity”', 'severity:'],
  ['color:red', 'color', 'Unknown qualifier', undefined],
  ['first:after:-30d', 'first', 'Unknown qualifier', undefined],
  ['kind:comit', 'comit', 'did you mean “commit”', 'commit'],
  ['kind:', '', 'needs a value', 'kind:commit'],
  ['pr:abc', 'abc', 'integer', 'pr:12'],
  ['after:soon', 'soon', 'not a valid date or time', 'today'],
  ['after:2026-02-30', '2026-02-30', 'not a valid date or time', '-7d'],
  ['sha:xyz1', 'xyz1', 'hexadecimal characters of the commit hash', 'sha:1f3a9c'],
  ['repo:>a', '>', 'does not support comparison', 'repo:acme/api'],
  ['kind:commit..pr', 'commit..pr', 'cannot be', undefined],
  ['kind:com*', 'com*', 'does not support *', 'kind:commit'],
  ['*ing', '*ing', 'can only end a word', 'ing*'],
  ['*', '*', 'matches everything', 'a word'],
  ['(a', '(', 'Missing closing parenthesis', ')'],
  ['a)', ')', 'Missing opening parenthesis', 'the end of the query'],
  ['()', ')', 'missing before', 'a word'],
  ['a OR', '', 'incomplete at the end', 'a word'],
  ['OR a', 'O', 'missing before', 'a word'],
  ['-', '', 'incomplete at the end', 'a word'],
  ['"abc', '"', 'Missing closing quote', '"'],
  ['""', '""', 'quotes are empty', 'a word'],
  ['repo:[a,b', '[a,b', 'not closed', ']'],
  ['a ] b', ']', 'cannot start a word', 'a word'],
  ['ai:guessed', 'guessed', 'cannot be', undefined],
  ['ai:0.5', '0.5', 'Use >=', 'ai:>=0.5'],
  ['ai:any,0.5', '0.5', 'Use >=', 'ai:>=0.5'],
  ['ai:>=any', 'any', 'numbers from 0 to 1', 'ai:>=0.5'],
  ['ai:any..1', 'any', 'numbers from 0 to 1', 'ai:>=0.5'],
  ['ai:>50', '50', 'cannot be', undefined],
  ['context:12', '12', 'requires an ID', undefined],
  ['role:boss', 'boss', 'cannot be', 'owner'],
  ['team:core', 'team', 'Unknown qualifier', undefined],
])('rejects %s at %s: %s', (text, markedPart, message, expected) => {
  expect(marked(text)).toBe(markedPart);
  expect(problem(text)?.message).toContain(message);
  if (expected !== undefined) expect(problem(text)?.expected).toContain(expected);
});

test.each([
  ['*ing', '*ing'],
  ['re*tor', 're*tor'],
  ['*ogin*', '*ogin*'],
  ['-*acme/ap* fix', '*acme/ap*'],
])('reads %s as a part of a word if the server supports it', (text, part) => {
  const parsed = parseQuery(text, { infixWildcards: true });
  if ('problem' in parsed) throw new Error(parsed.problem.message);
  expect(JSON.stringify(parsed.node)).toContain(
    JSON.stringify({ kind: 'text', mode: 'part', text: part }).slice(0, -1),
  );
  expect(isSameQuery(parseQueryOrThrow(printQuery(parsed.node), { infixWildcards: true }), parsed.node)).toBe(true);
  expect(problem(text)?.message).toContain('CLICKHOUSE_URL');
});

test('accepts parts of words with enough letters, and prefixes with an asterisk', () => {
  expect(parseQuery('*a-b*', { infixWildcards: true })).toMatchObject({
    problem: { code: 'query_invalid', message: expect.stringContaining('three consecutive letters'), start: 0, end: 5 },
  });
  expect(parseQuery('refac*', { infixWildcards: true })).toMatchObject({ node: { mode: 'prefix', text: 'refac' } });
});

test.each([
  ['characters', 'a '.repeat(1025)],
  ['terms', 'a '.repeat(65)],
  ['parentheses', `${'('.repeat(9)}a${')'.repeat(9)}`],
  ['list', `repo:[${Array.from({ length: 51 }, (_, index) => `r${index}`).join(',')}]`],
  ['asterisks', Array.from({ length: 9 }, (_, index) => `repo:r${index}*`).join(' ')],
])('rejects too many %s as too complex', (what, text) => {
  expect(problem(text)).toMatchObject({ code: 'query_too_complex', message: expect.stringContaining(what) });
});
