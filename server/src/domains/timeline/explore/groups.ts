import type { GroupField } from '@sightline/contract/timeline/event-charts.ts';
import { type EventGroups, groupBuckets, type groupEvents } from '@sightline/contract/timeline/event-groups.ts';
import { qualifierDefinition } from '@sightline/contract/timeline/query-language/keys.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { withQueryTime } from '#core/query-time.ts';
import type { Services } from '#core/services.ts';
import {
  type BucketRange,
  countGroups,
  type GroupedField,
  type GroupTotals,
  groupedFieldOf,
  labelsOfGroups,
  mergedPersons,
  type ResolvedQuery,
  resolveQuestion,
  type TimeSlice,
} from '../events/queries.ts';
import { chooseBuckets } from './buckets.ts';
import { periodBefore, periodOf, timeOf } from './periods.ts';

/** The largest number of values whose names are compared to find two names of one tool or agent. */
const MAX_NAMED_VALUES = 60;

/** The events of a query by value of a field. */
export async function findGroups(
  given: Services,
  actor: Actor,
  { by, top, compare, ...question }: z.output<typeof groupEvents.body>,
): Promise<EventGroups> {
  const services = withQueryTime(given, actor);
  const query = await resolveQuestion(services, actor, question);
  const range = await periodOf(services, query);
  const buckets = chooseBuckets(range, question.offset, groupBuckets);
  const field = await groupedFieldOf(services, query, by);
  const series = { services, by, field, intervals: Math.ceil((range.to - buckets.start) / buckets.size) };
  const current = await readSeries(series, query, { range, buckets });
  const before = compare ? await periodBefore(services, query, range) : undefined;
  const moved = { ...buckets, start: buckets.start - (range.to - range.from) };
  const previous = before && (await readSeries(series, before.query, { range: before.range, buckets: moved }));
  const largest = await largestGroups(series, query.orgId, current, top);
  const rest = [...current.values.keys()].filter((key) => !largest.some((group) => group.keys.includes(key)));
  const groupOf = (countsIn: (one: Series) => number[]) => ({
    ...totalOf(countsIn(current)),
    previous: previous ? totalOf(countsIn(previous)) : null,
  });
  return {
    from: timeOf(range.from),
    to: timeOf(range.to),
    start: timeOf(buckets.start),
    interval: buckets.size / 1000,
    total: Math.round(sumOf(current.total)),
    groups: largest.map(({ value, label, keys }) => ({ value, label, ...groupOf((one) => addedUp(one, keys, by)) })),
    other: {
      values: field.isComplete ? rest.length : null,
      ...groupOf((one) =>
        otherCounts(
          one,
          largest.map(({ keys }) => keys),
          by,
        ),
      ),
    },
    without: groupOf(({ without }) => without),
    previous:
      before && previous
        ? { from: timeOf(before.range.from), to: timeOf(before.range.to), total: Math.round(sumOf(previous.total)) }
        : null,
    sample: current.sample ?? previous?.sample ?? null,
  };
}

/** Counts per interval. */
interface Series {
  total: number[];
  without: number[];
  /** By value, which is the ID of a person or repository. */
  values: ReadonlyMap<string, { counts: number[]; example: string | undefined }>;
  sample: GroupTotals['sample'];
}

interface SeriesQuestion {
  services: Services;
  by: GroupField;
  field: GroupedField;
  intervals: number;
}

async function readSeries(
  { services, by, field, intervals }: SeriesQuestion,
  query: ResolvedQuery,
  period: { range: TimeSlice; buckets: BucketRange },
): Promise<Series> {
  const { counts, totals, sample } = await countGroups(services, query, field.grouping, period);
  const empty = () => Array.from({ length: intervals }, () => 0);
  const add = (series: number[], place: number, n: number) => {
    // Estimated ends of a sample may be in the next interval.
    const index = Math.max(0, Math.min(intervals - 1, place));
    series[index] = (series[index] ?? 0) + n;
  };
  const total = empty();
  for (const { place, n } of totals) add(total, place, n);
  const ids = counts.flatMap(({ value }) => value ?? []);
  const merged = by === 'actor' ? await mergedPersons(services, query.orgId, [...new Set(ids)]) : undefined;
  const values = new Map<string, { counts: number[]; example: string | undefined }>();
  const withValue = empty();
  for (const { value, place, n, example } of counts) {
    if (value === null) continue;
    const name = field.valueOf(value);
    // The term of all events with a value; a column has no such group.
    if (name === undefined || field.grouping.by === 'column') add(withValue, place, n);
    if (name === undefined) continue;
    const key = merged?.get(name) ?? name;
    const known = values.get(key) ?? { counts: empty(), example };
    values.set(key, known);
    add(known.counts, place, n);
  }
  return { total, values, sample, without: total.map((n, index) => Math.max(0, n - (withValue[index] ?? 0))) };
}

interface LargeGroup {
  value: string | null;
  label: string;
  /** The values of the group: several for two names of one tool or agent. */
  keys: string[];
}

async function largestGroups(
  { services, by }: SeriesQuestion,
  orgId: string,
  { values }: Series,
  top: number,
): Promise<LargeGroup[]> {
  const ranked = Array.from(values, ([value, { counts, example }]) => ({ value, example, count: sumOf(counts) }))
    .toSorted((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
    .slice(0, Math.max(top, MAX_NAMED_VALUES));
  const labels = await labelsOfGroups(services, orgId, by, ranked);
  const groups = new Map<string, LargeGroup>();
  for (const { value } of ranked) {
    const label = labels.get(value) ?? { value, label: value };
    const key = label.value ?? value;
    const known = groups.get(key);
    if (known) known.keys.push(value);
    else groups.set(key, { ...label, keys: [value] });
  }
  return [...groups.values()].slice(0, top);
}

/** The counts of a group. Two names of one tool or agent are on the same events. */
function addedUp({ values, total }: Series, keys: readonly string[], by: GroupField): number[] {
  const series = keys.map((key) => values.get(key)?.counts ?? []);
  const isAlias = by === 'tool' || by === 'agent';
  return total.map((_, index) => {
    const numbers = series.map((counts) => counts[index] ?? 0);
    return isAlias ? Math.max(0, ...numbers) : sumOf(numbers);
  });
}

/** The counts of the values beyond the largest groups. */
function otherCounts(series: Series, largest: readonly (readonly string[])[], by: GroupField): number[] {
  const { values, total, without } = series;
  if (qualifierDefinition(by).single) {
    const named = largest.map((keys) => addedUp(series, keys, by));
    return total.map((n, index) => Math.max(0, n - (without[index] ?? 0) - sumOf(named.map((one) => one[index] ?? 0))));
  }
  const rest = [...values.keys()].filter((key) => !largest.some((keys) => keys.includes(key)));
  return addedUp(series, rest, 'kind');
}

/** Estimates are rounded once they are added up. */
const totalOf = (counts: number[]) => ({ count: Math.round(sumOf(counts)), counts: counts.map(Math.round) });
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0);
