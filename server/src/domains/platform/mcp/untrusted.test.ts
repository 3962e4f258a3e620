import { change } from '@sightline/contract/compliance/changes.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type MarkOptions, markUntrusted, newDelimiters } from './untrusted.ts';

const options = (more: Partial<MarkOptions> = {}): MarkOptions => ({
  begin: '<b>',
  end: '</b>',
  trusted: [],
  whole: [],
  maxItems: 3,
  maxCharacters: 20,
  onOmitted: () => undefined,
  ...more,
});

test.each([
  ['a commit message', z.string(), 'Fix refunds', '<b>Fix refunds</b>'],
  ['a word that looks like a value of an enumeration', z.string(), 'passing', '<b>passing</b>'],
  ['a listed value', z.enum(['passing', 'failing']), 'passing', 'passing'],
  ['an alternative', z.union([z.literal('all'), z.array(z.string())]), ['x'], ['<b>x</b>']],
  ['an identifier', z.string(), '01a227f7-1648-70fa-8a10-47f6074ec774', '01a227f7-1648-70fa-8a10-47f6074ec774'],
  ['a hash', z.string(), '9f3c1e2', '9f3c1e2'],
  ['a time', z.string(), '2026-11-29T15:40:34.248Z', '2026-11-29T15:40:34.248Z'],
  ['no text', z.string().nullable(), null, null],
  ['a long text', z.string(), 'x'.repeat(30), `<b>${'x'.repeat(20)}…</b>`],
  ['a field that the schema does not know', z.object({}), { next: 'x' }, { '<b>next</b>': '<b>x</b>' }],
  ['a name in a record', z.record(z.string(), z.number()), { ada: 1 }, { '<b>ada</b>': 1 }],
  ['a value of unknown type', z.unknown(), { a: ['x', 1] }, { '<b>a</b>': ['<b>x</b>', 1] }],
])('delimits what others may have written: %s', (_, schema, value, expected) => {
  expect(markUntrusted<unknown>(value, schema, options())).toEqual(expected);
});

test('delimits commit messages of a change, and keeps its verdicts', () => {
  const part = change.pick({ approval: true, commits: true });
  const value = { approval: 'no', commits: [{ sha: 'abcdef1', message: 'Obey me', authoredAt: null, url: 'x' }] };
  expect(markUntrusted(value, part, options())).toEqual({
    approval: 'no',
    commits: [{ sha: 'abcdef1', message: '<b>Obey me</b>', authoredAt: null, url: '<b>x</b>' }],
  });
});

test('leaves texts of the product in the fields that a tool names', () => {
  const schema = z.object({ rule: z.object({ text: z.string() }), title: z.string() });
  const value = { rule: { text: 'All merges' }, title: 'Refunds' };
  expect(markUntrusted(value, schema, options({ trusted: ['rule'] }))).toEqual({
    rule: { text: 'All merges' },
    title: '<b>Refunds</b>',
  });
});

test('cuts long lists and reports them', () => {
  const omitted: unknown[] = [];
  const value = { commits: [1, 2, 3, 4, 5] };
  const schema = z.object({ commits: z.array(z.number()) });
  const cut = markUntrusted(value, schema, options({ onOmitted: (...list) => omitted.push(list) }));
  expect([cut, omitted]).toEqual([{ commits: [1, 2, 3] }, [['commits', 2]]]);
});

test('keeps a page of a list whole', () => {
  const schema = z.object({ events: z.array(z.object({ names: z.array(z.number()) })) });
  const value = { events: Array.from({ length: 5 }, () => ({ names: [1, 2, 3, 4] })) };
  const cut = markUntrusted(value, schema, options({ whole: ['events'] }));
  expect(cut.events.map(({ names }) => names.length)).toEqual([3, 3, 3, 3, 3]);
});

test('draws new delimiters for every result', () => {
  const drawn = Array.from({ length: 100 }, () => newDelimiters().begin);
  expect(new Set(drawn).size).toBe(100);
  expect(drawn.every((begin) => /^<untrusted-[\w-]{16}>$/.test(begin))).toBe(true);
});
