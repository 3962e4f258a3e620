import type { EventKind } from '@sightline/contract/timeline/events.ts';
import type { StoreCondition } from '../store/condition.ts';
import type { GroupCount, GroupedEvents, Grouping, TimeSlice } from '../store/groups.ts';
import type { BucketCount, BucketRange } from '../store/histogram.ts';
import { valueKey } from './archived-event.ts';
import { eventsPerBlock } from './columns.ts';
import { allMatches, matchCondition, type SegmentEvaluation } from './evaluate.ts';
import { idsOfOrdinals, listsOf, namesOf, ordinalsAtTimes } from './lookup.ts';
import {
  addRange,
  countIn,
  differenceOf,
  emptySet,
  forEachOrdinal,
  intersectionOf,
  type OrdinalSet,
  ordinalsIn,
} from './ordinals.ts';
import { nameOf } from './rows.ts';
import type { Segment } from './segment.ts';
import { MICROS } from './times.ts';

/** The events of a segment that match a condition, in one of these time ranges; in any if undefined. */
export async function matchingEvents(
  segment: Segment,
  condition: StoreCondition,
  slices: readonly TimeSlice[] | undefined,
  evaluation: SegmentEvaluation,
): Promise<OrdinalSet> {
  const match = await matchCondition(segment, condition);
  if (slices === undefined) return allMatches(segment, match, evaluation);
  const times = slices.flatMap(({ from, to }) => [Math.trunc(from) * MICROS, Math.trunc(to) * MICROS]);
  const ordinals = await ordinalsAtTimes(segment, times);
  const within = emptySet(segment.events);
  for (let place = 0; place < ordinals.length; place += 2)
    addRange(within, ordinals[place] ?? 0, ordinals[place + 1] ?? 0);
  const { condition: resolved, certain, possible } = match;
  const bounded = {
    condition: resolved,
    certain: intersectionOf(certain, within),
    possible: intersectionOf(possible, within),
  };
  return allMatches(segment, bounded, evaluation);
}

/** The number of events in a set. */
export const countOf = (set: OrdinalSet): number => countIn(set, 0, set.length * 32);

/** The events of a bucket that has any, as a range of ordinals, the end excluded. */
interface Bucket {
  place: number;
  from: number;
  to: number;
}

/** The buckets of all events of the segment; each part of a repeated one is separate. */
async function bucketsOf(segment: Segment, { start, size, cycle }: BucketRange): Promise<Bucket[]> {
  const { first, last } = segment.manifest;
  const placeOf = (micros: number) => Math.floor((micros / MICROS - start) / size);
  const [least, most] = [placeOf(first.asOf), placeOf(last.asOf)];
  const places = Array.from({ length: most - least + 1 }, (_, index) => least + index);
  // Buckets start at milliseconds or between them.
  const starts = places.map((place) => Math.ceil((start + place * size) * MICROS));
  const ordinals = await ordinalsAtTimes(segment, starts);
  return places.flatMap((place, index) => {
    const from = index === 0 ? 0 : (ordinals[index] ?? 0);
    const to = ordinals[index + 1] ?? segment.events;
    return from === to ? [] : [{ place: cycle === undefined ? place : place % cycle, from, to }];
  });
}

/** Counts the events of a set by bucket and kind. */
export async function countByKind(segment: Segment, set: OrdinalSet, buckets: BucketRange): Promise<BucketCount[]> {
  const { counts } = await countByColumn(segment, set, 'kind', buckets);
  return counts.map(({ value, place, n }) => ({ kind: value as EventKind, place, n }));
}

/** Counts the events of a set by group and bucket, exactly. `value` of a term is its number. */
export async function countByGroup(
  segment: Segment,
  set: OrdinalSet,
  grouping: Grouping,
  buckets: BucketRange,
): Promise<GroupedEvents> {
  const totals = sumByPlace(
    (await bucketsOf(segment, buckets)).map(({ place, from, to }) => ({ place, n: countIn(set, from, to) })),
  );
  const [oldest] = ordinalsIn(set);
  const facts = { totals, oldest: oldest === undefined ? undefined : await timeOf(segment, oldest) };
  if (grouping.by === 'nothing') return { counts: [], ...facts };
  const { counts } =
    grouping.by === 'column'
      ? await countByColumn(segment, set, grouping.column, buckets)
      : await countByTerms(segment, set, grouping.terms, buckets);
  return { counts, ...facts };
}

async function timeOf(segment: Segment, ordinal: number): Promise<number> {
  const block = await segment.block('times', segment.blockOf('times', ordinal));
  return Math.floor((block[ordinal % eventsPerBlock.times] ?? 0) / MICROS);
}

function sumByPlace(counts: readonly { place: number; n: number }[]): { place: number; n: number }[] {
  const sums = new Map<number, number>();
  for (const { place, n } of counts) if (n > 0) sums.set(place, (sums.get(place) ?? 0) + n);
  return Array.from(sums, ([place, n]) => ({ place, n }));
}

type CountedColumn = 'kind' | 'source' | 'actor' | 'repo';

/** With more values than this, looking at each event costs less than the list of each value. */
const MAX_LISTS = 32;

async function countByColumn(
  segment: Segment,
  set: OrdinalSet,
  column: CountedColumn,
  range: BucketRange,
): Promise<{ counts: GroupCount[] }> {
  const names = await namesOf(segment, column);
  const buckets = await bucketsOf(segment, range);
  if (names.length > MAX_LISTS) return { counts: await countByCodes(segment, set, { column, names, buckets }) };
  const lists = await listsOf(
    segment,
    'values',
    names.map((_, place) => valueKey(column, place)),
  );
  let others = set;
  const counts = names.flatMap((value, place) => {
    const list = lists.get(valueKey(column, place));
    if (!list) return [];
    others = differenceOf(others, list);
    return countInBuckets(intersectionOf(set, list), buckets).map((count) => ({ value, ...count, example: undefined }));
  });
  const withoutValue = countInBuckets(others, buckets).map((count) => ({ value: null, ...count, example: undefined }));
  return { counts: [...counts, ...withoutValue] };
}

async function countByCodes(
  segment: Segment,
  set: OrdinalSet,
  { column, names, buckets }: { column: CountedColumn; names: readonly string[]; buckets: readonly Bucket[] },
): Promise<GroupCount[]> {
  const counts = new Uint32Array(names.length + 1);
  const found: { code: number; place: number; n: number }[] = [];
  for (const { place, from, to } of buckets) {
    const counted = new Set<number>();
    for (let start = from; start < to; ) {
      const number = segment.blockOf('columns', start);
      const first = number * eventsPerBlock.columns;
      const end = Math.min(to, first + eventsPerBlock.columns);
      const codeOf = countIn(set, start, end) === 0 ? undefined : (await segment.block('columns', number))[column];
      if (codeOf)
        forEachOrdinal(set, start, end, (ordinal) => {
          const code = codeOf(ordinal - first);
          counts[code] = (counts[code] ?? 0) + 1;
          counted.add(code);
        });
      start = end;
    }
    for (const code of counted) {
      found.push({ code, place, n: counts[code] ?? 0 });
      counts[code] = 0;
    }
  }
  return Array.from(
    Map.groupBy(found, ({ code }) => code),
    ([code, all]) => sumByPlace(all).map((sum) => ({ value: nameOf(names, code), ...sum, example: undefined })),
  ).flat();
}

async function countByTerms(
  segment: Segment,
  set: OrdinalSet,
  terms: readonly number[],
  range: BucketRange,
): Promise<{ counts: GroupCount[] }> {
  const buckets = await bucketsOf(segment, range);
  const counts: (GroupCount & { first: number })[] = [];
  for (const [term, list] of await listsOf(segment, 'terms', [...new Set(terms)])) {
    const both = intersectionOf(set, list);
    const [first] = ordinalsIn(both);
    if (first === undefined) continue;
    for (const count of countInBuckets(both, buckets))
      counts.push({ value: String(term), ...count, example: undefined, first });
  }
  const ids = await idsOfOrdinals(
    segment,
    counts.map(({ first }) => first),
  );
  return { counts: counts.map(({ first, ...count }) => ({ ...count, example: ids.get(first) })) };
}

const countInBuckets = (set: OrdinalSet, buckets: readonly Bucket[]) =>
  sumByPlace(buckets.map(({ place, from, to }) => ({ place, n: countIn(set, from, to) })));
