import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvalidSegment } from './bytes.ts';
import { addList, encodeList, forEachInList } from './lists.ts';
import { complementOf, countIn, emptySet, fullSet, ordinalsDown, ordinalsIn, rangeSet } from './ordinals.ts';

const sizes = [1, 2, 31, 32, 33, 8191, 65_535, 65_536];

/** Ordinals of segments with as many events: a few, most, adjacent ones, or each with the same distance. */
const arbitraryList = fc.constantFrom(...sizes).chain((events) => {
  const ordinal = fc.nat(events - 1);
  const few = fc.uniqueArray(ordinal, { minLength: 1, maxLength: 50 });
  return fc
    .oneof(
      few,
      few.map((missing) => {
        const all = new Set(Array.from({ length: events }, (_, place) => place));
        for (const one of missing) all.delete(one);
        return [...all];
      }),
      fc
        .tuple(ordinal, ordinal)
        .map(([from, to]) => Array.from({ length: Math.abs(to - from) + 1 }, (_, place) => Math.min(from, to) + place)),
      fc
        .integer({ min: 2, max: 200 })
        .map((step) => Array.from({ length: Math.ceil(events / step) }, (_, place) => place * step)),
    )
    .map((ordinals) => ({ events, ordinals: Uint16Array.from(ordinals).sort() }));
});

test('restores any list, in at most a bit per event', () => {
  const forms = new Set<number | undefined>();
  fc.assert(
    fc.property(arbitraryList, ({ events, ordinals }) => {
      const list = encodeList(ordinals, events);
      forms.add(list[0]);
      expect(list.length).toBeLessThanOrEqual(1 + Math.max(3, Math.ceil(events / 8)));
      const set = emptySet(events);
      addList(set, list, events);
      expect([...ordinalsIn(set)]).toEqual([...ordinals]);
      const visited: number[] = [];
      forEachInList(list, events, (ordinal) => visited.push(ordinal));
      expect(visited).toEqual([...ordinals]);
    }),
    { numRuns: 300, seed: 1 },
  );
  expect(forms).toEqual(new Set([0, 1, 2]));
});

test('never adds an ordinal beyond the last event', () => {
  fc.assert(
    fc.property(
      fc.nat(3),
      fc.uint8Array({ maxLength: 15 }),
      fc.integer({ min: 1, max: 100 }),
      (form, content, events) => {
        const list = Uint8Array.from([form, ...content]);
        const set = emptySet(events);
        try {
          addList(set, list, events);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidSegment);
        }
        expect([...ordinalsIn(set)].filter((ordinal) => ordinal >= events)).toEqual([]);
      },
    ),
    { numRuns: 2000 },
  );
});

test('counts and iterates over ranges', () => {
  fc.assert(
    fc.property(arbitraryList, fc.nat(70_000), fc.nat(70_000), ({ events, ordinals }, one, other) => {
      const [from, to] = [Math.min(one, other, events), Math.min(Math.max(one, other), events)];
      const set = emptySet(events);
      addList(set, encodeList(ordinals, events), events);
      const expected = [...ordinals].filter((ordinal) => ordinal >= from && ordinal < to);
      expect([...ordinalsIn(set, from, to)]).toEqual(expected);
      expect([...ordinalsDown(set, from, to)]).toEqual(expected.toReversed());
      expect(countIn(set, from, to)).toBe(expected.length);
      expect(countIn(fullSet(events), from, to, set)).toBe(expected.length);
      expect(countIn(complementOf(set, events), 0, events)).toBe(events - ordinals.length);
      expect([...ordinalsIn(rangeSet(events, from, to))].length).toBe(to - from);
    }),
    { numRuns: 100 },
  );
});
