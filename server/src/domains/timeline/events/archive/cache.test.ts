import { expect, test } from 'vitest';
import { SegmentCache } from './cache.ts';
import { findOrdinals } from './find.ts';
import { readRows } from './rows.ts';
import { encoded, manyEvents, storedIn } from './segment.fixture.ts';
import { openSegment } from './segment.ts';

test('drops what was not used for the longest time', () => {
  const cache = new SegmentCache(80);
  for (let key = 0; key < 8; key += 1) cache.keep(String(key), key, 10);
  expect(cache.get('0')).toBe(0);
  cache.keep('8', 8, 10);
  expect([cache.get('0'), cache.get('1'), cache.get('2'), cache.get('8'), cache.bytes]).toEqual([
    0,
    undefined,
    2,
    8,
    80,
  ]);
  cache.keep('8', 'other', 5);
  expect([cache.get('8'), cache.bytes]).toEqual(['other', 75]);
  cache.keep('9', 'too large', 11);
  expect([cache.get('9'), cache.bytes]).toEqual([undefined, 75]);
});

test('loads a value once for simultaneous calls, and again after an error', async () => {
  const cache = new SegmentCache();
  let loads = 0;
  const load = async () => {
    loads += 1;
    if (loads === 1) throw new Error('unavailable');
    return loads;
  };
  const failed = await Promise.allSettled([cache.once('a', load), cache.once('a', load)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await Promise.all([cache.once('a', load), cache.once('a', load)])).toEqual([2, 2]);
});

test('pages are equal with a cache that keeps nearly nothing, and stay within its limit', async () => {
  const events = manyEvents(2000);
  const stored = storedIn(await encoded(events));
  const evaluation = { resolve: () => Promise.reject(new Error('no other tables')) };
  for (const limit of [2000, 200_000]) {
    const cache = new SegmentCache(limit);
    const segment = await openSegment(stored, cache);
    const walk = { direction: 'newer', from: undefined, limit: 2000 } as const;
    const condition = { is: 'column', column: 'kind', any: ['commit'] } as const;
    const rows = await readRows(segment, await findOrdinals(segment, condition, walk, evaluation), ['id', 'detail']);
    expect(rows).toEqual(events.flatMap(({ kind, id, detail }) => (kind === 'commit' ? { id, detail } : [])));
    expect(cache.bytes).toBeLessThanOrEqual(limit);
  }
});

test('simultaneous pages read each range once', async () => {
  const stored = storedIn(await encoded(manyEvents(2000)));
  const cache = new SegmentCache();
  const ordinals = Array.from({ length: 100 }, (_, place) => place * 20);
  const page = async () => readRows(await openSegment(stored, cache), ordinals, ['id', 'summary']);
  const pages = await Promise.all([page(), page(), page()]);
  expect(new Set(stored.reads.map(String)).size).toBe(stored.reads.length);
  expect(pages[1]).toEqual(pages[0]);
});
