import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnsOfRanges, type DenseHour, rangesThroughDenseHours, type WalkRange } from './dense-hours.ts';
import { overlappingParts, partOfSeconds } from './hour-parts.ts';

const second = fc.integer({ min: 0, max: 3599 });
const part = fc
  .tuple(fc.integer({ min: 0, max: 12 }), second)
  .map(([halvings, at]) => ({ start: (at >> halvings) << halvings, size: 1 << halvings }));

test('finds the lists whose part of an hour overlaps another, and no others', () => {
  fc.assert(
    fc.property(second, second, part, (one, other, { start, size }) => {
      const number = partOfSeconds(one, other);
      const { low, high, around } = overlappingParts({ start, size });
      const isFound = (number >= low && number <= high) || around.includes(number);
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      // The part of a list contains its seconds, and may be longer.
      if (from < start + size && to >= start) expect(isFound).toBe(true);
      const own = 32 - Math.clz32(one ^ other);
      const [begin, end] = [(from >> own) << own, ((from >> own) + 1) << own];
      expect(isFound).toBe(begin < start + size && end > start);
      expect(around).toHaveLength(12 - Math.log2(size));
    }),
  );
});

const HOUR_MS = 3_600_000;
const now = Math.floor(Date.now() / HOUR_MS);
const secondsOf = ({ hours, part: of }: WalkRange): [number, number] =>
  of
    ? [of.hour * 3600 + of.start, of.hour * 3600 + Math.min(of.start + of.size, 3600)]
    : [(hours?.first ?? 0) * 3600, ((hours?.last ?? 0) + 1) * 3600];

const hours = fc
  .uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 24 })
  .map((ago): DenseHour[] =>
    ago.sort((one, other) => one - other).map((one) => ({ hour: now - one, events: 100_000 })),
  );
const time = fc.integer({ min: (now - 62) * HOUR_MS, max: (now + 2) * HOUR_MS });

/** Expects sections of seconds that follow each other, the newest first. */
function expectNoGaps(sections: readonly (readonly [number, number])[]): void {
  for (const [place, [begin]] of sections.entries()) {
    const older = sections[place + 1];
    if (older) expect(older[1]).toBe(begin);
  }
}

test('walks to older events through each second down to its last dense hour once, in order', () => {
  fc.assert(
    fc.property(hours, time, time, fc.boolean(), (dense, one, other, isOpen) => {
      const [from, to] = [isOpen ? null : Math.min(one, other), Math.max(one, other) + 1];
      const walk = rangesThroughDenseHours(dense, { from, to }, { direction: 'older', distance: 720 });
      const inside = dense.filter(({ hour }) => hour >= Math.floor((from ?? 0) / HOUR_MS) && hour * HOUR_MS < to);
      expect(walk?.edge).toBe(inside.slice(0, 16).at(-1)?.hour);
      const sections = (walk?.ranges ?? []).map(secondsOf);
      expectNoGaps(sections);
      if (!walk) return;
      expect((sections[0]?.[1] ?? 0) * 1000).toBeGreaterThanOrEqual(to);
      expect(sections.at(-1)?.[0]).toBeLessThanOrEqual(Math.max(walk.edge * 3600, Math.floor((from ?? 0) / 1000)));
      expect(columnsOfRanges(walk.ranges).first).toHaveLength(walk.ranges.length);
    }),
  );
});

test('walks to newer events through each second up to its last dense hour once, in order', () => {
  fc.assert(
    fc.property(hours, time, time, fc.boolean(), (dense, one, other, isOpen) => {
      const [from, to] = [Math.min(one, other), isOpen ? null : Math.max(one, other) + 1];
      const walk = rangesThroughDenseHours(dense, { from, to }, { direction: 'newer', distance: 720 });
      const inside = dense.filter(
        ({ hour }) => hour >= Math.floor(from / HOUR_MS) && hour * HOUR_MS < (to ?? Number.POSITIVE_INFINITY),
      );
      expect(walk?.edge).toBe(inside.toReversed().slice(0, 16).at(-1)?.hour);
      const sections = (walk?.ranges ?? []).map(secondsOf).reverse();
      expectNoGaps(sections);
      if (!walk) return;
      expect((sections.at(-1)?.[0] ?? 0) * 1000).toBeLessThanOrEqual(from);
      expect(sections[0]?.[1]).toBeGreaterThanOrEqual(
        Math.min((walk.edge + 1) * 3600, Math.floor((to ?? Infinity) / 1000)),
      );
    }),
  );
  expect(
    rangesThroughDenseHours([{ hour: now, events: 1 }], { from: null, to: null }, { direction: 'newer', distance: 9 }),
  ).toBeUndefined();
});

test('begins in a dense hour with few of its seconds, and reads no more ranges than it needs', () => {
  const dense = [{ hour: now - 5, events: 792_000 }];
  const to = (now - 4) * HOUR_MS;
  const walk = rangesThroughDenseHours(dense, { from: null, to }, { direction: 'older', distance: 720 });
  const sizes = walk?.ranges.map(({ part: of }) => of?.size);
  expect(sizes?.slice(0, 4)).toEqual([16, 16, 16, 16]);
  expect(sizes?.length).toBeLessThan(40);
  expect(rangesThroughDenseHours(dense, { from: null, to }, { direction: 'older', distance: 0 })?.edge).toBe(now - 5);
  expect(rangesThroughDenseHours(dense, { from: null, to: null }, { direction: 'older', distance: 4 })).toBeUndefined();
  expect(rangesThroughDenseHours([], { from: null, to }, { direction: 'older', distance: 720 })).toBeUndefined();
});
