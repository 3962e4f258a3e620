import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFullSuite } from '../../../../../../scripts/full-suite.ts';
import type { StoreCondition } from '../store/condition.ts';
import type { Grouping } from '../store/groups.ts';
import type { ArchivedEvent } from './archived-event.ts';
import { InvalidSegment } from './bytes.ts';
import { SegmentCache } from './cache.ts';
import { countByGroup, countByKind, countOf, matchingEvents } from './counts.ts';
import type { SegmentEvaluation } from './evaluate.ts';
import { eventsOf } from './events.ts';
import { findOrdinals } from './find.ts';
import { ordinalsOfIds } from './lookup.ts';
import { readRows } from './rows.ts';
import {
  arbitraryAtom,
  arbitraryCondition,
  arbitraryEvents,
  encoded,
  holdsElsewhere,
  inOrder,
  itemsOf,
  manyEvents,
  matches,
  opened,
  storedIn,
  testActors,
  testId,
  testOrganization,
  testStart,
  testTerms,
} from './segment.fixture.ts';
import { openSegment, type Segment } from './segment.ts';
import { encodeSegments } from './segment-writer.ts';
import { postgresTimeOf } from './times.ts';

const evaluation: SegmentEvaluation = {
  resolve: async (condition, candidates) => candidates.map((one) => holdsElsewhere(condition, one)),
};
const runs = (quick: number, full: number) => ({ numRuns: isFullSuite ? full : quick });
const withSortedTerms = (events: readonly ArchivedEvent[]) =>
  events.map((event) => ({
    ...event,
    leafHash: Buffer.from(event.leafHash),
    terms: event.terms.toSorted((one, other) => one - other),
  }));

/** All events of a condition, page by page. */
async function pagesOf(
  segment: Segment,
  condition: StoreCondition,
  { direction, limit }: { direction: 'older' | 'newer'; limit: number },
): Promise<string[]> {
  const found: string[] = [];
  let from: { asOf: string; id: string } | undefined;
  for (;;) {
    const ordinals = await findOrdinals(segment, condition, { direction, from, limit }, evaluation);
    const rows = await readRows(segment, ordinals, ['id', 'as_of']);
    found.push(...rows.map(({ id }) => id));
    const last = rows.at(-1);
    if (!last || rows.length < limit) return found;
    from = { asOf: `${last.as_of.slice(0, -3).replace(' ', 'T')}Z`, id: last.id };
  }
}

test('restores events byte by byte', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryEvents(60), async (events) => {
      const segment = await opened(events);
      await segment.check();
      expect(await itemsOf(eventsOf(segment))).toEqual(withSortedTerms(events));
      expect(segment.manifest).toMatchObject({ organization: testOrganization, events: events.length });
    }),
    runs(20, 200),
  );
});

test('finds the events of every condition in both directions, page by page', async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitraryEvents(80),
      fc.array(fc.oneof(arbitraryAtom, arbitraryCondition), { minLength: 5, maxLength: 5 }),
      fc.integer({ min: 1, max: 100 }),
      async (events, conditions, limit) => {
        const segment = await opened(events);
        for (const condition of conditions) {
          const expected = events.filter((event) => matches(condition, event)).map(({ id }) => id);
          expect(await pagesOf(segment, condition, { direction: 'newer', limit })).toEqual(expected);
          expect(await pagesOf(segment, condition, { direction: 'older', limit })).toEqual(expected.toReversed());
        }
      },
    ),
    runs(25, 400),
  );
});

test('starts after any key', async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitraryEvents(60),
      fc.integer({ min: -3, max: 210_000_000 }),
      fc.nat(),
      async (events, time, place) => {
        const segment = await opened(events);
        const known = events[place % events.length];
        for (const [asOf, id] of [
          [testStart + time, testId('absent')],
          [known?.asOf ?? 0, known?.id ?? ''],
          [known?.asOf ?? 0, testId(`absent ${place}`)],
        ] as const) {
          const from = { asOf: postgresTimeOf(asOf), id };
          const isAfter = (event: ArchivedEvent) => event.asOf > asOf || (event.asOf === asOf && event.id > id);
          const isBefore = (event: ArchivedEvent) => event.asOf < asOf || (event.asOf === asOf && event.id < id);
          const all = { limit: 100, from };
          const newer = await findOrdinals(segment, { is: 'all' }, { ...all, direction: 'newer' }, evaluation);
          expect(newer.map((ordinal) => events[ordinal])).toEqual(events.filter(isAfter));
          const older = await findOrdinals(segment, { is: 'all' }, { ...all, direction: 'older' }, evaluation);
          expect(older.map((ordinal) => events[ordinal])).toEqual(events.filter(isBefore).toReversed());
        }
      },
    ),
    runs(25, 300),
  );
});

const groupings: readonly Grouping[] = [
  { by: 'nothing' },
  ...(['kind', 'actor', 'repo', 'source'] as const).map((column) => ({ by: 'column', column }) as const),
  { by: 'terms', terms: [...testTerms, 5] },
];

test('counts events by bucket and group', async () => {
  const slice = fc.tuple(fc.nat({ max: 31 * 24 }), fc.nat({ max: 31 * 24 })).map(([from, length]) => ({
    from: testStart / 1000 + from * 3_600_000,
    to: testStart / 1000 + (from + length) * 3_600_000,
  }));
  const buckets = fc.record({
    start: fc.constantFrom(testStart / 1000, testStart / 1000 - 5_400_000),
    size: fc.constantFrom(60_000, 3_600_000, 86_400_000, 10 ** 12),
    cycle: fc.constantFrom(168, undefined),
  });
  await fc.assert(
    fc.asyncProperty(
      arbitraryEvents(60),
      arbitraryCondition,
      fc.option(fc.array(slice, { maxLength: 2 }), { nil: undefined }),
      buckets,
      async (events, condition, slices, { start, size, cycle }) => {
        const segment = await opened(events);
        const range = cycle === undefined ? { start, size } : { start, size, cycle };
        const set = await matchingEvents(segment, condition, slices, evaluation);
        const expected = events.filter(
          (event) =>
            matches(condition, event) &&
            (slices ?? [{ from: 0, to: Infinity }]).some(
              ({ from, to }) => event.asOf >= from * 1000 && event.asOf < to * 1000,
            ),
        );
        expect(countOf(set)).toBe(expected.length);
        const placeOf = ({ asOf }: ArchivedEvent) => {
          const place = Math.floor((asOf / 1000 - start) / size);
          return cycle === undefined ? place : (place % cycle) + 0;
        };
        const sumsOf = (names: (event: ArchivedEvent) => readonly (string | null)[]) =>
          Object.entries(
            Object.groupBy(
              expected.flatMap((event) => names(event).map((name) => `${name} ${placeOf(event)}`)),
              (name) => name,
            ),
          )
            .map(([name, all]) => `${name}: ${all?.length}`)
            .sort();
        const printed = (counts: readonly { value: string | null; place: number; n: number }[]) =>
          counts.map(({ value, place, n }) => `${value} ${place}: ${n}`).sort();
        const kinds = await countByKind(segment, set, range);
        expect(printed(kinds.map((one) => ({ ...one, value: one.kind })))).toEqual(sumsOf(({ kind }) => [kind]));
        for (const grouping of groupings) {
          const found = await countByGroup(segment, set, grouping, range);
          expect(printed(found.totals.map((one) => ({ ...one, value: null })))).toEqual(sumsOf(() => [null]));
          expect(found.oldest).toBe(expected[0] && Math.floor(expected[0].asOf / 1000));
          if (grouping.by === 'nothing') continue;
          const valuesOf = (event: ArchivedEvent) =>
            grouping.by === 'column'
              ? [event[grouping.column]]
              : grouping.terms.filter((term) => event.terms.includes(term)).map(String);
          expect(printed(found.counts)).toEqual(sumsOf(valuesOf));
          if (grouping.by === 'terms')
            for (const { value, example } of found.counts)
              expect(expected.find(({ id }) => id === example)?.terms).toContain(Number(value));
        }
      },
    ),
    runs(15, 200),
  );
});

test('groups by a column with many values', async () => {
  const events = manyEvents(300).map((event, place) => ({ ...event, actor: testId(`actor ${place % 50}`) }));
  const segment = await opened(events);
  const set = await matchingEvents(segment, { is: 'column', column: 'kind', any: ['commit'] }, undefined, evaluation);
  const { counts } = await countByGroup(segment, set, { by: 'column', column: 'actor' }, { start: 0, size: 1e15 });
  const expected = Map.groupBy(
    events.filter(({ kind }) => kind === 'commit'),
    ({ actor }) => actor,
  );
  expect(new Map(counts.map(({ value, n }) => [value, n]))).toEqual(
    new Map(Array.from(expected, ([actor, all]) => [actor, all.length])),
  );
});

test('finds events by ID', async () => {
  const events = manyEvents(1500);
  const segment = await opened(events);
  const found = await ordinalsOfIds(segment, [...events.map(({ id }) => id), testId('absent')]);
  expect(found).toEqual(new Map(events.map(({ id }, ordinal) => [id, ordinal])));
  // IDs with the same first characters are in several blocks of the index.
  const similar = events.map((event, place) => ({
    ...event,
    asOf: testStart + place,
    id: `01234567-89ab-7000-8000-${String(place).padStart(12, '0')}`,
  }));
  const ids = similar.map(({ id }) => id);
  expect(await ordinalsOfIds(await opened(similar), ids)).toEqual(new Map(ids.map((id, ordinal) => [id, ordinal])));
});

test('reads only what a page needs', async () => {
  const events = manyEvents(5000);
  const stored = storedIn(await encoded(events));
  const segment = await openSegment(stored, new SegmentCache());
  const tableBytes = stored.reads.splice(0).reduce((sum, [, length]) => sum + length, 0);
  expect(tableBytes).toBeLessThanOrEqual(160 << 10);
  const condition = { is: 'column', column: 'actor', any: [testActors[0] ?? ''] } as const;
  const page = async () => {
    const ordinals = await findOrdinals(
      segment,
      condition,
      { direction: 'older', from: undefined, limit: 50 },
      evaluation,
    );
    return readRows(segment, ordinals, ['id', 'kind', 'as_of', 'received_at', 'source', 'summary']);
  };
  const expected = events.filter(({ actor }) => actor === testActors[0]).toReversed();
  expect(await page()).toEqual(
    expected.slice(0, 50).map(({ id, kind, asOf, receivedAt, source, summary }) => ({
      id,
      kind,
      as_of: postgresTimeOf(asOf),
      received_at: postgresTimeOf(receivedAt),
      source,
      summary,
    })),
  );
  expect(stored.reads.length).toBeLessThan(10);
  expect(stored.reads.reduce((sum, [, length]) => sum + length, 0)).toBeLessThan(stored.length / 5);
  stored.reads.splice(0);
  await page();
  expect(stored.reads).toEqual([]);
});

test('detects the change of any byte', async () => {
  const bytes = await encoded(manyEvents(isFullSuite ? 1500 : 300));
  const segment = await openSegment(storedIn(bytes), new SegmentCache());
  await segment.check();
  const { offset } = segment.manifest.table;
  const openChanged = (place: number) => {
    const changed = new Uint8Array(bytes);
    changed[place] = (changed[place] ?? 0) ^ 1;
    return openSegment(storedIn(changed), new SegmentCache());
  };
  const places = isFullSuite
    ? Array.from({ length: offset }, (_, place) => place)
    : fc.sample(fc.nat(offset - 1), { numRuns: 150, seed: 3 });
  // Vitest keeps the value of each assertion until the test ends, so that one for each byte would need gigabytes.
  const undetected: number[] = [];
  const expectInvalid = async (place: number, opened: Promise<unknown>) => {
    const error = await opened.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof InvalidSegment)) undetected.push(place);
  };
  for (const place of [...places, 0, offset - 1])
    await expectInvalid(
      place,
      openChanged(place).then((one) => one.check()),
    );
  // The table, the manifest and the footer are read whole when a segment is opened.
  for (let place = offset; place < bytes.length; place += 1) await expectInvalid(place, openChanged(place));
  expect(undetected).toEqual([]);
}, 600_000);

test('refuses a segment that is incomplete, longer, another one, or none', async () => {
  const [bytes, other] = [await encoded(manyEvents(50)), await encoded(manyEvents(51))];
  const open = (content: Uint8Array, digest?: string) =>
    openSegment({ ...storedIn(content), digest }, new SegmentCache());
  const { digest } = await open(bytes);
  expect((await open(bytes, digest)).digest).toBe(digest);
  await expect(open(other, digest)).rejects.toThrow(InvalidSegment);
  for (const content of [
    bytes.subarray(1),
    bytes.subarray(0, -1),
    Buffer.concat([bytes, Buffer.from('x')]),
    Buffer.alloc(0),
    Buffer.alloc(5000),
  ])
    await expect(open(content)).rejects.toThrow(InvalidSegment);
});

test('ends a segment with its month, and refuses events that are not in order', async () => {
  const events = manyEvents(20);
  const next = inOrder(
    events.map((event, place) => ({
      ...event,
      id: testId(`next ${place}`),
      asOf: event.asOf + 61 * 86_400_000_000,
    })),
  );
  const segments = await itemsOf(encodeSegments(testOrganization, [...events, ...next]));
  const restored = await Promise.all(
    segments.map(async (bytes, place) =>
      itemsOf(eventsOf(await openSegment(storedIn(bytes, String(place)), new SegmentCache()))),
    ),
  );
  expect(restored).toEqual([events, next].map(withSortedTerms));
  const [first, second] = events;
  const atOnce = events.slice(0, 2).map((event) => ({ ...event, asOf: testStart }));
  const inIdOrder = inOrder(atOnce);
  expect(await itemsOf(encodeSegments(testOrganization, inIdOrder))).toHaveLength(1);
  for (const wrong of [[second, first], [first, first], inIdOrder.toReversed(), [...next, first]])
    await expect(itemsOf(encodeSegments(testOrganization, wrong as ArchivedEvent[]))).rejects.toThrow(InvalidSegment);
  expect(await itemsOf(encodeSegments(testOrganization, []))).toEqual([]);
});
