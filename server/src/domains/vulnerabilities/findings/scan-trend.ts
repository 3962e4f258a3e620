import { severities } from '@sightline/contract/core/severities.ts';
import type { FindingFilter, FindingStats } from '@sightline/contract/vulnerabilities/findings.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import { inSight } from '../../sources/repositories/queries.ts';
import type { FindingScope } from './scope.ts';

/**
 * What the latest scan of each repository by each scanner changed, summed up, and when the latest of all was. Null where there were
 * only first scans.
 */
export async function lastScans(
  tx: Tx,
  scope: FindingScope,
  tools: readonly string[],
): Promise<Pick<FindingStats, 'changeSinceLastScan' | 'lastScanAt'>> {
  const { orgId } = scope;
  const { rows } = await sql<{ added: number | null; fixed: number | null; at: Date | null }>`
    select sum(l.added)::int as added, sum(l.fixed)::int as fixed, max(l.done_at) as at
    from scan_latest l join repository r on r.org_id = ${orgId} and r.id = l.repository_id
    where l.org_id = ${orgId} and r.tracked and ${inSight('r.id', scope)}
      ${tools.length > 0 ? sql`and l.tool = any(${tools}::text[])` : sql``}`.execute(tx.db);
  const [{ added, fixed, at } = { added: null, fixed: null, at: null }] = rows;
  return {
    changeSinceLastScan: added === null || fixed === null ? null : { added, fixed, net: added - fixed },
    lastScanAt: at?.toISOString() ?? null,
  };
}

const days = 30;

/** Open findings at the end of each day, worked back from how many there are now. Under a search nobody kept count. */
export async function trendOf(
  tx: Tx,
  scope: FindingScope,
  filter: FindingFilter,
  openNow: number,
): Promise<FindingStats['trend']> {
  if (scope.titles) return [];
  const { rows } = await sql<{ day: string; change: number }>`
    with first as (
      select greatest(min(day), (now() at time zone 'UTC')::date - ${days - 1}::int) as day
      from ${isWhole(scope) ? sql`finding_lane_day` : sql`finding_day`}
      where org_id = ${scope.orgId} and ${inSight('repository_id', scope)} having min(day) is not null
    ),
    changes as (${isWhole(scope) ? ofLanes(scope, filter) : ofRepositories(scope, filter)})
    select to_char(s.day, 'YYYY-MM-DD') as day, coalesce(c.change, 0)::int as change
    from first cross join lateral generate_series(first.day, (now() at time zone 'UTC')::date, '1 day') as s(day)
    left join changes c on c.day = s.day order by s.day desc`.execute(tx.db);
  let open = openNow;
  const trend = rows.map(({ day, change }) => {
    const at = { day, open };
    open -= change;
    return at;
  });
  return trend.toReversed();
}

const isWhole = ({ only, except }: FindingScope) => !only && except.length === 0;

function ofLanes({ orgId }: FindingScope, { severity, category, dataSource }: FindingFilter): RawBuilder<unknown> {
  const ranks = severity.map((name) => String(severities.indexOf(name)));
  return sql`
    select day, sum(change) as change from finding_lane_day
    where org_id = ${orgId} and day > (now() at time zone 'UTC')::date - ${days}::int
      ${ranks.length > 0 ? sql`and split_part(lane, chr(10), 1) = any(${ranks}::text[])` : sql``}
      ${category.length > 0 ? sql`and split_part(lane, chr(10), 2) = any(${category}::text[])` : sql``}
      ${dataSource.length > 0 ? sql`and (string_to_array(lane, chr(10)))[3:] && ${dataSource}::text[]` : sql``}
    group by day`;
}

function ofRepositories(scope: FindingScope, { severity, category, dataSource }: FindingFilter): RawBuilder<unknown> {
  const ranks = severity.map((name) => severities.indexOf(name));
  return sql`
    select day, sum(change) as change from finding_day
    where org_id = ${scope.orgId} and day > (now() at time zone 'UTC')::date - ${days}::int and ${inSight('repository_id', scope)}
      ${ranks.length > 0 ? sql`and severity = any(${ranks}::smallint[])` : sql``}
      ${category.length > 0 ? sql`and category = any(${category}::text[])` : sql``}
      ${dataSource.length > 0 ? sql`and tools && ${dataSource}::text[]` : sql``}
    group by day`;
}
