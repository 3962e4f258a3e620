import type { EventKind } from '@sightline/contract/timeline/events.ts';
import { type Database, textTypes } from '#database/database.ts';
import { type EventWalk, eventKeysSql } from './keys.ts';
import { atVersion, type QueryPlan, readByPlan, versionedSql } from './pages.ts';

/** Events of a kind in one bucket. */
export interface BucketCount {
  /** The index of the bucket, from 0. */
  place: number;
  kind: EventKind;
  n: number;
}

/** A time range in milliseconds, the end excluded. */
export interface TimeSlice {
  from: number;
  to: number;
}

/** Buckets of equal length from a start time on, both in milliseconds. */
export interface BucketRange {
  start: number;
  size: number;
  /** Repeats after this number of buckets, such as the 168 hours of a week. */
  cycle?: number;
}

interface BucketRow extends Record<string, string> {
  place: string;
  kind: string;
  n: string;
  oldest: string;
}

/** Counts the newest events of a plan, up to `most`; `stoppedAt` is the time of the last one if there are more. */
export async function countByRows(
  database: Database,
  plan: QueryPlan,
  { start, size }: BucketRange,
  most: number,
): Promise<{ counts: BucketCount[]; stoppedAt: number | null }> {
  const { rows } = await readByPlan<BucketRow>(database, plan, (bind) => {
    const walk: EventWalk = { direction: 'older', from: undefined, limit: most };
    const [only] = plan.branches;
    // With a walk along one index, its row contains the kind.
    const counted =
      only && plan.branches.length === 1 && only.lead.by === 'walk'
        ? eventKeysSql(plan.branches, walk, bind, 'k.as_of, k.kind')
        : `select e.as_of, e.kind from (${eventKeysSql(plan.branches, walk, bind)}) k join event e on e.org_id = tenant.org and e.as_of = k.as_of and e.id = k.id`;
    return `select floor((extract(epoch from c.as_of) * 1000 - ${bind(start, 'bigint')}) / ${bind(size, 'bigint')})::bigint as place,
        c.kind, count(*) as n, floor(extract(epoch from min(c.as_of)) * 1000)::bigint as oldest
      from (${counted}) c group by 1, 2 offset 0`;
  });
  const counts = rows.map(countOf);
  const total = counts.reduce((sum, { n }) => sum + n, 0);
  return { counts, stoppedAt: total < most ? null : Math.min(...rows.map(({ oldest }) => Number(oldest))) };
}

/** A filter by kinds and a time range; null for all kinds, or for an open end. Buckets are whole hours. */
export interface KindAndTimeFilter {
  kinds: readonly EventKind[] | null;
  from: number | null;
  to: number | null;
}

/**
 * Counts events in buckets from the hourly counts, which include archived events. Adds pending events, and counts the rows
 * of the partial hours at the ends of the range one by one; `edges` are these hours, whose archived events are not counted.
 */
export async function countByHours(
  database: Database,
  orgId: string,
  { kinds, from, to }: KindAndTimeFilter,
  { start, size, cycle = NO_CYCLE }: BucketRange,
): Promise<{ counts: BucketCount[]; edges: TimeSlice[]; archive: number }> {
  const first = from === null ? null : Math.ceil(from / hourMs);
  const until = to === null ? null : Math.floor(to / hourMs);
  const edges = edgesOf(from, to);
  const found = await database.onceWithOrg<BucketRow & { archive: string }>(orgId, {
    name: 'events.histogram',
    text: hoursSql,
    values: [
      kinds,
      first,
      until,
      start,
      size,
      edges.map((edge) => iso(edge.from)),
      edges.map((edge) => iso(edge.to)),
      cycle,
    ],
    types: textTypes,
  });
  const { rows, archive } = atVersion(found);
  return { counts: rows.map(countOf), edges, archive };
}

const hourMs = 3_600_000;

/** The parts of a time range in partial hours. */
function edgesOf(from: number | null, to: number | null): TimeSlice[] {
  const head = from === null ? null : { from, to: Math.min(Math.ceil(from / hourMs) * hourMs, to ?? Infinity) };
  const tail = to === null ? null : { from: Math.max(Math.floor(to / hourMs) * hourMs, head?.to ?? -Infinity), to };
  return [head, tail].flatMap((edge) => (edge && edge.from < edge.to ? [edge] : []));
}

const iso = (time: number) => new Date(time).toISOString();
const countOf = ({ place, kind, n }: BucketRow): BucketCount => ({
  place: Number(place),
  kind: kind as EventKind,
  n: Number(n),
});

/** More buckets than any range has. */
const NO_CYCLE = 2 ** 31;

// $2 kinds, $3 the first whole hour, $4 the hour after the last, $5 start, $6 size, $7 and $8 starts and ends of edges,
// $9 cycle.
const inHours = (hour: string) =>
  `${hour} >= coalesce($3::int, -2147483648) and ${hour} < coalesce($4::int, 2147483647)`;
const ofKinds = (kind: string) => `($2::text[] is null or ${kind} = any($2::text[]))`;
const bucketSqlOf = (ms: string) => `mod(floor((${ms} - $5::bigint) / $6::bigint)::bigint, $9::bigint)`;
const hoursSql = versionedSql(`
    select place, kind, sum(n) as n from (
      select ${bucketSqlOf('h.hour * 3600000::numeric')}, h.kind, h.n from event_hour_kind h
      where h.org_id = tenant.org and ${inHours('h.hour')} and ${ofKinds('h.kind')}
      union all
      select ${bucketSqlOf('c.hour * 3600000::numeric')}, c.kind, c.n
      from posting_pending p cross join lateral unnest(p.hours, p.kinds, p.counts) as c(hour, kind, n)
      where p.org_id = tenant.org and ${inHours('c.hour')} and ${ofKinds('c.kind')}
      union all
      select ${bucketSqlOf('extract(epoch from e.as_of) * 1000')}, e.kind, 1
      from unnest($7::timestamptz[], $8::timestamptz[]) as edge(begins, ends)
      join event e on e.org_id = tenant.org and e.as_of >= edge.begins and e.as_of < edge.ends and ${ofKinds('e.kind')}
    ) as parts(place, kind, n) group by 1, 2 offset 0`);
