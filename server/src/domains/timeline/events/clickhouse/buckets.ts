import type { EventKind } from '@sightline/contract/timeline/events.ts';
import type { Services } from '#core/services.ts';
import { type ClickHouse, ClickHouseProblem } from '#providers/clickhouse.ts';
import { type BucketCount, type BucketRange, countByRows } from '../store/histogram.ts';
import type { QueryPlan } from '../store/pages.ts';
import { wordPartsIn } from './condition.ts';
import { isCopyComplete } from './copy-state.ts';
import { countBucketsInCopy } from './keys.ts';
import { rowsByParts, withClickHouseRefusals } from './pages.ts';

type BucketPage = { counts: BucketCount[]; stoppedAt: number | null };

// Up to this number of events, PostgreSQL counts faster than ClickHouse.
const maxByPostgres = 20_000;
const maxRows = 20_000;

/**
 * Counts events in buckets where hourly sums do not suffice. Uses the copy for many events if it supports the
 * condition. Undefined if PostgreSQL must count them.
 */
export async function histogramFromCopy(
  { database, log }: Services,
  {
    clickhouse,
    plan,
    buckets,
    most = maxByPostgres,
  }: { clickhouse: ClickHouse; plan: QueryPlan; buckets: BucketRange; most?: number },
): Promise<BucketPage | undefined> {
  const countInCopy = () => countBucketsInCopy(clickhouse, plan.orgId, plan.condition, buckets);
  if (wordPartsIn(plan.condition).length > 0) {
    const counts = await withClickHouseRefusals(countInCopy());
    return counts ? { counts, stoppedAt: null } : countRows({ database, clickhouse }, plan, buckets);
  }
  const bounded = await countByRows(database, plan, buckets, most);
  if (bounded.stoppedAt === null) return bounded;
  if (!(await isCopyComplete(database, plan.orgId))) return undefined;
  try {
    const counts = await countInCopy();
    return counts && { counts, stoppedAt: null };
  } catch (problem) {
    if (!(problem instanceof ClickHouseProblem)) throw problem;
    log.warn({ err: problem }, 'histogram without ClickHouse');
    return undefined;
  }
}

/** Counts the newest events one by one, since words are in PostgreSQL and parts of words in ClickHouse. */
async function countRows(
  stores: Parameters<typeof rowsByParts>[0],
  plan: QueryPlan,
  { start, size }: BucketRange,
): Promise<BucketPage> {
  const walk = { direction: 'older', from: undefined, limit: maxRows } as const;
  const rows = await rowsByParts(stores, plan, walk, ['as_of', 'kind']);
  const timeOf = (time: string) => Date.parse(`${time.slice(0, 10)}T${time.slice(11, -3)}Z`);
  const counts = new Map<string, BucketCount>();
  for (const { as_of, kind } of rows) {
    const place = Math.floor((timeOf(as_of) - start) / size);
    const known = counts.get(`${place} ${kind}`) ?? { place, kind: kind as EventKind, n: 0 };
    counts.set(`${place} ${kind}`, { ...known, n: known.n + 1 });
  }
  const last = rows.at(-1);
  return { counts: [...counts.values()], stoppedAt: last && rows.length === maxRows ? timeOf(last.as_of) : null };
}
