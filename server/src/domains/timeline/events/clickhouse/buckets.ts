import type { EventKind } from '@sightline/contract/timeline/events.ts';
import type { Services } from '#core/services.ts';
import { type ClickHouse, ClickHouseProblem } from '#providers/clickhouse.ts';
import { type BucketCount, type Buckets, countByRows } from '../store/histogram.ts';
import type { Plan } from '../store/pages.ts';
import { partsIn } from './condition.ts';
import { isCopied } from './copied.ts';
import { countByCopy } from './keys.ts';
import { rowsByParts, told } from './pages.ts';

type BucketPage = { counts: BucketCount[]; stoppedAt: number | null };

// Up to so many PostgreSQL counts sooner than the other store is asked.
const worthAsking = 20_000;
const mostRows = 20_000;

/**
 * Counts in buckets what no sums by hour cover: every event, where there are many and the copy holds what is asked. Undefined
 * where PostgreSQL has to do it as far as it goes.
 */
export async function bucketsByCopy(
  { database, log }: Services,
  { clickhouse, plan, buckets, most }: { clickhouse: ClickHouse; plan: Plan; buckets: Buckets; most: number },
): Promise<BucketPage | undefined> {
  const ask = () => countByCopy(clickhouse, plan.orgId, plan.condition, buckets);
  if (partsIn(plan.condition).length > 0) {
    const counts = await told(ask());
    return counts ? { counts, stoppedAt: null } : countRows({ database, clickhouse }, plan, buckets);
  }
  const few = await countByRows(database, plan, buckets, Math.min(most, worthAsking));
  if (few.stoppedAt === null) return few;
  if (!(await isCopied(database, plan.orgId))) return undefined;
  try {
    const counts = await ask();
    return counts && { counts, stoppedAt: null };
  } catch (problem) {
    if (!(problem instanceof ClickHouseProblem)) throw problem;
    log.warn({ err: problem }, 'histogram without ClickHouse');
    return undefined;
  }
}

/** The newest, one by one: words and parts of words are known in two places. */
async function countRows(
  stores: Parameters<typeof rowsByParts>[0],
  plan: Plan,
  { start, size }: Buckets,
): Promise<BucketPage> {
  const walk = { direction: 'older', from: undefined, limit: mostRows } as const;
  const rows = await rowsByParts(stores, plan, walk, ['as_of', 'kind']);
  const timeOf = (time: string) => Date.parse(`${time.slice(0, 10)}T${time.slice(11, -3)}Z`);
  const counts = new Map<string, BucketCount>();
  for (const { as_of, kind } of rows) {
    const place = Math.floor((timeOf(as_of) - start) / size);
    const known = counts.get(`${place} ${kind}`) ?? { place, kind: kind as EventKind, n: 0 };
    counts.set(`${place} ${kind}`, { ...known, n: known.n + 1 });
  }
  const last = rows.at(-1);
  return { counts: [...counts.values()], stoppedAt: last && rows.length === mostRows ? timeOf(last.as_of) : null };
}
