import { expect, test } from 'vitest';
import { exportTools, listTools, normalizeToolsQuery, periodOfRange, toolFreshness } from './tools.ts';

const now = new Date('2026-03-15T12:00:00Z');
const questionOf = (body: unknown) => normalizeToolsQuery(exportTools.body.parse(body), now);

test.each([
  ['2026-03-13T12:00:00Z', 'fresh'],
  ['2026-03-13T11:59:59Z', 'ageing'],
  ['2026-03-08T12:00:00Z', 'ageing'],
  ['2026-03-08T11:59:59Z', 'stale'],
])('rates a tool last seen at %s as %s', (lastSeen, freshness) => {
  expect(toolFreshness(lastSeen, now.getTime())).toBe(freshness);
});

test.each([
  ['7', '2026-03-08,2026-03-15'],
  ['14', '2026-03-01,2026-03-15'],
  ['30', '2026-02-13,2026-03-15'],
  ['year', '2026-01-01,2026-03-15'],
  ['any', undefined],
  ['custom', undefined],
] as const)('converts the range %s to the days %s', (range, period) => {
  expect(periodOfRange(range, now)).toBe(period);
});

test.each([
  ['2026-01-01,2026-01-31', '2026-01-01,2026-01-31'],
  ['2026-01-01T23:30:00Z,2026-01-31T00:00:00Z', '2026-01-01,2026-01-31'],
  ['2026-01-01,2026-01-01', '2026-01-01,2026-01-01'],
])('accepts the period %s as the days %s', (period, days) => {
  expect(questionOf({ period }).period).toBe(days);
});

test.each([
  '',
  '2026-01-01',
  '2026-02-01,2026-01-01',
  '2026-02-31,2026-03-01',
  '2026-01-01,2026-01-02,2026-01-03',
  'a,b',
])('rejects %j as a period and describes the format', (period) => {
  expect(listTools.body.safeParse({ period }).error?.issues).toMatchObject([
    { path: ['period'], message: expect.stringContaining('such as 2026-01-01,2026-01-31') },
  ]);
});

test.each([
  ['7', '2026-03-08,2026-03-15'],
  ['Last 30 days', '2026-02-13,2026-03-15'],
  ['this year', '2026-01-01,2026-03-15'],
  ['any', undefined],
])('accepts the range %s by its short name or in words', (activeRange, period) => {
  expect(questionOf({ activeRange }).period).toBe(period);
});

test('rejects an unknown range and lists the known ones', () => {
  expect(listTools.body.safeParse({ activeRange: 'a while' }).error?.issues).toMatchObject([
    { path: ['activeRange'], message: 'must be one of 7, 14, 30, year, any, custom' },
  ]);
});

test('prefers nested filters over top-level fields, and a period over a range', () => {
  const body = { search: 'outside', vendors: ['Outside'], filters: { search: 'inside', vendors: undefined } };
  expect(questionOf(body)).toMatchObject({ search: 'inside', vendors: ['Outside'] });
  expect(questionOf({ activeRange: '7', filters: { activeRange: '14' } }).period).toBe('2026-03-01,2026-03-15');
  expect(questionOf({ period: '2026-01-01,2026-01-31', filters: { activeRange: '14' } }).period).toBe(
    '2026-01-01,2026-01-31',
  );
});
