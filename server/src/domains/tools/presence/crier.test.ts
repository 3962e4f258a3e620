import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCrier } from './crier.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('sends the first change at once and batches others within a second, per organization', () => {
  const told: [string, string[]][] = [];
  const cry = createCrier({
    tell: (orgId, _name, news) => told.push([orgId, (news as { accountIds: string[] }).accountIds]),
  });
  cry('acme', 'ada');
  for (const who of ['bob', 'cleo', 'bob']) cry('acme', who);
  cry('other', 'dan');
  expect(told).toEqual([
    ['acme', ['ada']],
    ['other', ['dan']],
  ]);
  vi.advanceTimersByTime(1_000);
  expect(told.slice(2)).toEqual([['acme', ['bob', 'cleo']]]);
  cry('acme', 'eve');
  expect(told).toHaveLength(3);
  vi.advanceTimersByTime(1_000);
  expect(told.slice(3)).toEqual([['acme', ['eve']]]);
  vi.advanceTimersByTime(10_000);
  cry('acme', 'ada');
  expect(told.slice(4)).toEqual([['acme', ['ada']]]);
});
