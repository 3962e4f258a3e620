import type { Database } from '#database/database.ts';
import type { BucketRange, TimeSlice } from './histogram.ts';
import { partsAroundSecondSql, secondSql } from './hour-parts.ts';
import { type EventWalk, eventKeysSql } from './keys.ts';
import { aggregateByPlan, type QueryPlan } from './pages.ts';
import { type BindPostgres, hourSql, listColumnSql, pendingTermsSql } from './tests.ts';

export type { TimeSlice };

/** What events are grouped by: nothing, a column, or terms of which an event can have several. */
export type Grouping =
  | { by: 'nothing' }
  | { by: 'column'; column: 'kind' | 'actor' | 'repo' | 'source' }
  | { by: 'terms'; terms: readonly number[] };

/** The events of a value in a bucket. */
export interface GroupCount {
  /** The column or the term; null for events without a value in the column. */
  value: string | null;
  /** The index of the bucket, from 0. */
  place: number;
  n: number;
  /** One of these events, if the groups are terms. */
  example: string | undefined;
}

export interface GroupedEvents {
  counts: GroupCount[];
  /** The number of events per bucket, each event once. */
  totals: { place: number; n: number }[];
  /** The time of the oldest counted event in milliseconds; undefined without events. */
  oldest: number | undefined;
}

/** Counts of rows with the version of the archive at the same moment. */
export interface GroupedRows extends GroupedEvents {
  archive: number;
}

/** Which events of a plan are counted: the newest ones up to a number, or all in several time ranges. */
export type GroupedScope = { newest: number } | { slices: readonly TimeSlice[] };

// More events than a time range of a sample should have.
const MAX_EVENTS_PER_SLICE = 20_000;

interface GroupRow extends Record<string, string> {
  value: string;
  place: string;
  n: string;
  oldest: string;
  example: string;
}

/** Counts events in rows by group and bucket. The cost grows with the events in the scope, and with those of the terms in its hours. */
export async function countByGroups(
  database: Database,
  plan: QueryPlan,
  grouping: Grouping,
  { scope, buckets }: { scope: GroupedScope; buckets: BucketRange },
): Promise<GroupedRows> {
  const { rows, archive } = await aggregateByPlan<GroupRow>(database, plan, (bind) => {
    const placeSql = placeSqlOf(buckets, bind);
    return grouping.by === 'terms'
      ? countTermsSql(plan, { scope, placeSql, terms: grouping.terms, bind })
      : countColumnSql(plan, { scope, placeSql, column: grouping.by === 'column' ? grouping.column : undefined, bind });
  });
  const counts = rows.map(({ value, place, n, example }) => ({ value, place: Number(place), n: Number(n), example }));
  // Rows of terms are preceded by those of all events, whose oldest time is known.
  const isTotal = (_: unknown, index: number) => grouping.by !== 'terms' || rows[index]?.oldest !== null;
  const times = rows.flatMap(({ oldest }) => oldest ?? []).map(Number);
  return {
    counts:
      grouping.by === 'nothing'
        ? []
        : grouping.by === 'column'
          ? counts
          : counts.filter((one, at) => !isTotal(one, at)),
    totals: sumByPlace(counts.filter(isTotal)),
    oldest: times.length === 0 ? undefined : Math.min(...times),
    archive,
  };
}

export function sumByPlace(counts: readonly Pick<GroupCount, 'place' | 'n'>[]): GroupedEvents['totals'] {
  const sums = new Map<number, number>();
  for (const { place, n } of counts) sums.set(place, (sums.get(place) ?? 0) + n);
  return Array.from(sums, ([place, n]) => ({ place, n }));
}

const epochMs = (time: string) => `date_part('epoch', ${time}) * 1000`;

type PlaceSql = (time: string) => string;
const placeSqlOf = ({ start, size, cycle }: BucketRange, bind: BindPostgres): PlaceSql => {
  const [from, length] = [bind(start, 'float8'), bind(size, 'float8')];
  const index = (time: string) => `floor((${epochMs(time)} - ${from}) / ${length})::int`;
  if (cycle === undefined) return index;
  const repeated = bind(cycle, 'int');
  return (time) => `mod(${index(time)}, ${repeated})`;
};

interface GroupedSql {
  scope: GroupedScope;
  placeSql: PlaceSql;
  bind: BindPostgres;
}

function countColumnSql(
  plan: QueryPlan,
  { scope, placeSql, column, bind }: GroupedSql & { column: string | undefined },
): string {
  const [only] = plan.branches;
  // With a walk along one index, its row contains the column. Without a test, the newest rows of the table would be sorted
  // from an index of a column.
  const isDirect =
    only && plan.branches.length === 1 && only.lead.by === 'walk' && ('slices' in scope || only.tests.length > 0);
  // So does the index of a column beside terms.
  const isBeside = only && plan.branches.length === 1 && only.lead.by === 'terms' && only.lead.beside !== undefined;
  const isOwn = column !== undefined && (isDirect || isBeside) === true;
  const counted =
    isOwn || column === undefined
      ? scopedKeysSql(plan, scope, bind, column)
      : // A join would read all events of the organization, because the number of keys is unknown to the planner.
        `select k.as_of, e.value from (${scopedKeysSql(plan, scope, bind)}) k cross join lateral (
           select e.${column} as value from event e where e.org_id = tenant.org and e.as_of = k.as_of and e.id = k.id offset 0) e`;
  const value = column === undefined ? 'null' : 'c.value';
  return `select ${value} as value, ${placeSql('c.as_of')} as place, count(*) as n,
      floor(${epochMs('min(c.as_of)')})::bigint as oldest, null as example
    from (${counted}) c group by 1, 2 offset 0`;
}

/**
 * Expected plan: the events of the scope once, then an index scan of posting_list per term and hour of these events,
 * whose events are looked up in a hash of the first.
 */
function countTermsSql(
  plan: QueryPlan,
  { scope, placeSql, terms, bind }: GroupedSql & { terms: readonly number[] },
): string {
  const any = bind(terms, 'bigint[]');
  const isDense = plan.branches.some(({ dense }) => dense !== undefined);
  const listed = (column: 'as_of' | 'id') => `unnest(${listColumnSql(column)}) as ${column}`;
  return `${pendingTermsSql([terms], bind)}, found as materialized (
      select k.as_of, k.id from (${scopedKeysSql(plan, scope, bind)}) k
    )
    select null as value, ${placeSql('f.as_of')} as place, count(*) as n, floor(${epochMs('min(f.as_of)')})::bigint as oldest, null as example
    from found f group by 2
    union all
    select x.term::text, ${placeSql('x.as_of')}, count(*), null, min(x.id::text)
    from (
      select l.term, l.as_of, l.id from unnest(${any}) as t(term) ${isDense ? `cross join (${foundPartsSql}) f` : ''} cross join lateral (
        select p.term, ${listed('as_of')}, ${listed('id')} from posting_list p
        where p.org_id = tenant.org and p.term = t.term
          and ${isDense ? 'p.hour = f.hour and p.part = any(f.parts)' : `p.hour = any(array(select distinct ${hourSql('f.as_of')} from found f))`} offset 0) l
      union all select w.term, w.as_of, w.id from pend w
    ) x where (x.id in (select f.id from found f)) is true group by x.term, 2`;
}

/** The parts of hours with found events, as rows of an hour and its parts. */
const foundPartsSql = `select s.hour, array_agg(distinct s.part) as parts
  from (select distinct ${hourSql('f.as_of')} as hour, ${secondSql('f.as_of')} as second from found f) f
  cross join lateral (select f.hour, a.part from (${partsAroundSecondSql('f.second')}) a(part)) s group by s.hour`;

function scopedKeysSql(plan: QueryPlan, scope: GroupedScope, bind: BindPostgres, value?: string): string {
  const walk: EventWalk = { direction: 'older', from: undefined, limit: MAX_EVENTS_PER_SLICE, value };
  if ('newest' in scope) return eventKeysSql(plan.branches, { ...walk, limit: scope.newest }, bind);
  const times = (end: 'from' | 'to') =>
    bind(
      scope.slices.map((one) => new Date(one[end]).toISOString()),
      'timestamptz[]',
    );
  return `select k.* from unnest(${times('from')}, ${times('to')}) with ordinality as slice(begins, ends, place)
    cross join lateral (${eventKeysSql(plan.branches, { ...walk, inSlice: scope.slices }, bind)}) k`;
}

/** Estimates the number of events in the posting lists of these terms in a time range, from a few of its hours. */
export async function estimateListedEvents(
  database: Database,
  orgId: string,
  terms: readonly number[],
  { from, to }: TimeSlice,
): Promise<number> {
  const first = Math.floor(from / HOUR_MS);
  const hours = Math.max(1, Math.ceil(to / HOUR_MS) - first);
  const probes = Math.min(hours, PROBED_HOURS);
  // Spread unevenly, so that they are not all at the same time of the day.
  const probed = Array.from(
    { length: probes },
    (_, index) => first + Math.floor(((index + spread(index)) / probes) * hours),
  );
  // 20 bytes of an array are its header, or the length that a list outside of its row is stored with.
  const [row] = await database.onceWithOrg<{ events: number }>(orgId, {
    name: 'events.listed',
    text: ` select l.events from tenant cross join lateral (
              select coalesce(sum((pg_column_size(${listColumnSql('id')}) - 20) / 16), 0)::float8 as events
              from unnest($2::bigint[]) as t(term) cross join lateral (
                select * from posting_list p where p.org_id = tenant.org and p.term = t.term and p.hour = any($3::int[]) offset 0) p
              offset 0) l`,
    values: [terms, probed],
  });
  return ((row?.events ?? 0) * hours) / probes;
}

/** The number of events of these kinds in the whole hours of a time range; without pending ones. */
export async function countKinds(
  database: Database,
  orgId: string,
  kinds: readonly (string | number)[],
  { from, to }: TimeSlice,
): Promise<number> {
  const [row] = await database.onceWithOrg<{ events: number }>(orgId, {
    name: 'events.kinds-in-hours',
    text: ` select k.events from tenant cross join lateral (
              select coalesce(sum(h.n), 0)::float8 as events from event_hour_kind h
              where h.org_id = tenant.org and h.hour between $2 and $3 and h.kind = any($4::text[]) offset 0) k`,
    values: [Math.floor(from / HOUR_MS), Math.floor(to / HOUR_MS), kinds],
  });
  return row?.events ?? 0;
}

const HOUR_MS = 3_600_000;
const PROBED_HOURS = 16;

/** Numbers from 0 to 1 that are spread evenly for any number of indexes: multiples of the golden ratio. */
export const spread = (index: number): number => (index * 0.618_033_988_749_895) % 1;
