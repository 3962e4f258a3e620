import { Refusal } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { wordPartsIn } from './clickhouse/condition.ts';
import type { ResolvedQuery } from './resolved-query.ts';
import { countAllByGroups, countAllByHours } from './segments/counts.ts';
import type { SegmentServices } from './segments/segment-bytes.ts';
import {
  countKinds,
  estimateListedEvents,
  type GroupedEvents,
  type Grouping,
  spread,
  type TimeSlice,
} from './store/groups.ts';
import type { BucketRange } from './store/histogram.ts';
import { besideColumn, type PlanBranch } from './store/plan.ts';

/** Up to this number of events, groups are exact. */
const MAX_EXACT_EVENTS = 10_000;
/** Groups by values read lists of at most this number of events. */
const MAX_LISTED_EVENTS = 200_000;
const SAMPLE_SLICES = 128;
const MIN_SLICE_MS = 60_000;
const HOUR_MS = 3_600_000;

export interface GroupTotals extends Pick<GroupedEvents, 'counts' | 'totals'> {
  /** Set if the numbers are estimates: the number of counted events, and their share of the time range. */
  sample: { events: number; share: number } | null;
}

/**
 * Counts the events of a query by group and bucket: exactly if hourly sums suffice, or if the query matches at most
 * `MAX_EXACT_EVENTS`. Otherwise counts those in evenly distributed parts of the range, and divides by their share of it;
 * such estimates are not whole numbers.
 */
export async function countGroups(
  services: Pick<Services, 'database' | 'archiveStore'>,
  resolved: ResolvedQuery,
  grouping: Grouping,
  { range, buckets }: { range: TimeSlice; buckets: BucketRange },
): Promise<GroupTotals> {
  if (wordPartsIn(resolved.condition).length > 0)
    throw new Refusal('query_too_complex', 'Charts of groups do not support parts of words. Use words or prefixes.');
  const { database } = services;
  const exact = await exactFromHours(services, resolved, grouping, buckets);
  if (exact) return { ...exact, sample: null };
  const query = { ...resolved, branches: await branchesForCounting({ database }, resolved, range) };
  const listed = grouping.by === 'terms' ? await estimateListedEvents(database, query.orgId, grouping.terms, range) : 0;
  // Without another condition, there probably are more events than can be grouped.
  const isUnfiltered =
    grouping.by === 'column' && query.branches.every(({ lead, tests }) => lead.by === 'walk' && tests.length === 0);
  const isCheap = listed <= MAX_LISTED_EVENTS && !isUnfiltered;
  const newest = await countAllByGroups(services, query, isCheap ? grouping : { by: 'nothing' }, {
    scope: { newest: MAX_EXACT_EVENTS + 1 },
    buckets: isCheap ? buckets : { start: range.from, size: HOUR_MS },
  });
  const isAll = eventsIn(newest) <= MAX_EXACT_EVENTS;
  if (isAll && isCheap) return { ...newest, sample: null };
  const share = countableShare(newest, { isAll, listed, range });
  const slices = share === 1 ? [range] : slicesOf(range, share);
  const found = await countAllByGroups(services, query, grouping, { scope: { slices }, buckets });
  if (share === 1) return { ...found, sample: null };
  const scaled = <Count extends { n: number }>(counts: readonly Count[]) =>
    counts.map((count) => ({ ...count, n: count.n / share }));
  return { counts: scaled(found.counts), totals: scaled(found.totals), sample: { events: eventsIn(found), share } };
}

const eventsIn = ({ totals }: Pick<GroupedEvents, 'totals'>) => totals.reduce((sum, { n }) => sum + n, 0);

type Store = Pick<Services, 'database'>;

/** From this number of entries of an index per event of the terms, lookups of these events cost less. */
const MAX_ENTRIES_PER_EVENT = 16;

/** The branches of a query with their cheapest walk for counting all events of a range. */
const branchesForCounting = (
  { database }: Store,
  { orgId, branches }: ResolvedQuery,
  range: TimeSlice,
): Promise<PlanBranch[]> =>
  Promise.all(
    branches.map(async (branch) => {
      const beside = besideColumn(branch);
      if (!beside || branch.lead.by !== 'terms') return branch;
      const [listed, entries] = await Promise.all([
        estimateListedEvents(database, orgId, branch.lead.along[0] ?? [], range),
        countKinds(database, orgId, beside.column.any, range),
      ]);
      return entries <= listed * MAX_ENTRIES_PER_EVENT ? beside.branch : branch;
    }),
  );

/** The counts from hourly sums; undefined if they do not suffice. */
async function exactFromHours(
  services: SegmentServices,
  { plain, ...plan }: ResolvedQuery,
  grouping: Grouping,
  buckets: BucketRange,
): Promise<Pick<GroupTotals, 'counts' | 'totals'> | undefined> {
  const isByKind = grouping.by === 'column' && grouping.column === 'kind';
  if (!plain || !(isByKind || grouping.by === 'nothing')) return undefined;
  if (buckets.start % HOUR_MS !== 0 || buckets.size % HOUR_MS !== 0) return undefined;
  const counts = (await countAllByHours(services, { ...plan, plain }, buckets)).filter(({ n }) => n > 0);
  const groups = counts.map(({ kind, place, n }) => ({ value: kind, place, n, example: undefined }));
  return { counts: isByKind ? groups : [], totals: counts.map(({ place, n }) => ({ place, n })) };
}

/**
 * The share of the range, from 0 to 1, whose events can be counted quickly. `newest` are counted by hour if the lists are
 * long, and `isAll` means that there are no others.
 */
function countableShare(
  { totals, oldest }: GroupedEvents,
  { isAll, listed, range }: { isAll: boolean; listed: number; range: TimeSlice },
): number {
  const length = range.to - range.from;
  const share = isAll || oldest === undefined ? 1 : Math.max((range.to - oldest) / length, MIN_SLICE_MS / length);
  // Only the lists of hours with events are read.
  const read = listed * Math.min(1, totals.length / share / Math.max(1, length / HOUR_MS));
  return Math.min(share, listed <= MAX_LISTED_EVENTS ? 1 : MAX_LISTED_EVENTS / Math.max(read, 1), 1);
}

/** Equal parts of the range that together cover a share of it, each at another position of its section. */
function slicesOf({ from, to }: TimeSlice, share: number): TimeSlice[] {
  const section = (to - from) / SAMPLE_SLICES;
  return Array.from({ length: SAMPLE_SLICES }, (_, index) => {
    const begin = from + index * section + spread(index) * (1 - share) * section;
    return { from: Math.floor(begin), to: Math.floor(begin + share * section) };
  });
}
