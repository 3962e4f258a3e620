import { expect, test } from 'vitest';
import { type Census, censusGap, censusSubject, createCensusCounter, matchesCensus, parseCensus } from './census.ts';
import { leafHash } from './tree.ts';

const leaves = Array.from({ length: 10 }, (_, index) => ({
  kind: index % 3 === 0 ? 'merge' : 'event.batch',
  hash: leafHash(`leaf ${index}`),
}));

function censusOf(from: number, to: number): Census {
  const stretch = createCensusCounter();
  for (const { kind, hash } of leaves.slice(from, to)) stretch.add(kind, hash);
  return stretch.census(from, to);
}

test('counts entries by kind, and those that must not be omitted', () => {
  const census = censusOf(0, 10);
  expect(parseCensus(censusSubject(census))).toEqual(census);
  const merges = leaves.flatMap(({ kind, hash }) => (kind === 'merge' ? [hash] : []));
  expect(matchesCensus(census, 'merge', merges)).toBe(true);
  expect(matchesCensus(census, 'merge', merges.slice(1))).toBe(false);
  expect(matchesCensus(census, 'merge', merges.toReversed())).toBe(false);
  expect(matchesCensus(census, 'none', [])).toBe(true);
  expect(matchesCensus(census, 'none', merges)).toBe(false);
  expect(() => createCensusCounter().census(0, 1)).toThrow();
});

test('rejects an invalid census, or one that does not add up', () => {
  const kinds = { merge: { count: 2, root: 'r' } };
  for (const subject of [
    {},
    { from: 0, to: 3, kinds },
    { from: 2, to: 0, kinds: {} },
    { from: 0, to: 2, kinds: { merge: { count: 2 } } },
    { from: 0, to: 2, kinds: { ...kinds, none: { count: 0, root: 'r' } } },
    { from: -2, to: 0, kinds },
    { from: 0, to: 2, kinds: [] },
  ]) {
    expect(() => parseCensus(subject)).toThrow();
  }
  expect(parseCensus({ from: 0, to: 0, kinds: {} })).toEqual({ from: 0, to: 0, kinds: {} });
});

test('reveals every hole in a chain of censuses', () => {
  const rangeCensus = (from: number, to: number, index = to) => ({ from, to, kinds: {}, index });
  const chain = [rangeCensus(0, 5), rangeCensus(6, 9), rangeCensus(10, 20)];
  expect(censusGap(chain, 0, 20)).toBeUndefined();
  expect(censusGap(chain.toReversed(), 2, 18)).toBeUndefined();
  expect(censusGap([rangeCensus(0, 5), rangeCensus(10, 20)], 0, 20)).toContain('from 6 to 10');
  expect(censusGap(chain.slice(1), 3, 20)).toContain('before 6');
  expect(censusGap(chain.slice(0, 2), 0, 20)).toContain('after 10');
  expect(censusGap([], 0, 1)).toContain('after 0');
  expect(censusGap([rangeCensus(0, 5, 7)], 0, 5)).toContain('ends at 5');
});
