import { severities } from '@sightline/contract/core/severities.ts';
import type { FindingStats } from '@sightline/contract/vulnerabilities/findings.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import { isVisibleSql } from '../../sources/repositories/queries.ts';
import type { LaneFilter } from './lanes.ts';
import { coversAllRepositories, type FindingScope } from './scope.ts';

/**
 * Sums the changes of the latest scan of each repository by each scanner, and returns the time of the latest scan.
 * Changes are null if there were only first scans.
 */
export async function sumLastScanChanges(
  tx: Tx,
  scope: FindingScope,
  tools: readonly string[],
): Promise<Pick<FindingStats, 'changeSinceLastScan' | 'lastScanAt'>> {
  const { orgId } = scope;
  const { rows } = await sql<{ added: number | null; fixed: number | null; at: Date | null }>`
    select sum(l.added)::int as added, sum(l.fixed)::int as fixed, max(l.done_at) as at
    from scan_latest l join repository r on r.org_id = ${orgId} and r.id = l.repository_id
    where l.org_id = ${orgId} and r.tracked and ${isVisibleSql('r.id', scope)}
      ${tools.length > 0 ? sql`and l.tool = any(${tools}::text[])` : sql``}`.execute(tx.db);
  const [{ added, fixed, at } = { added: null, fixed: null, at: null }] = rows;
  return {
    changeSinceLastScan: added === null || fixed === null ? null : { added, fixed, net: added - fixed },
    lastScanAt: at?.toISOString() ?? null,
  };
}

const TREND_DAYS = 30;

/**
 * Returns the open findings at the end of each day, computed backwards from the current number. Empty for a search
 * or conditions on findings, for which there are no daily counts.
 */
export async function openFindingsTrend(
  tx: Tx,
  scope: FindingScope,
  filter: LaneFilter,
  openNow: number,
): Promise<FindingStats['trend']> {
  if (scope.titles || scope.conditions) return [];
  const { rows } = await sql<{ day: string; change: number }>`
    with first as (
      select greatest(min(day), (now() at time zone 'UTC')::date - ${TREND_DAYS - 1}::int) as day
      from ${coversAllRepositories(scope) ? sql`finding_lane_day` : sql`finding_day`}
      where org_id = ${scope.orgId} and ${isVisibleSql('repository_id', scope)} having min(day) is not null
    ),
    changes as (${coversAllRepositories(scope) ? laneChangesSql(scope, filter) : repositoryChangesSql(scope, filter)})
    select to_char(s.day, 'YYYY-MM-DD') as day, coalesce(c.change, 0)::int as change
    from first cross join lateral generate_series(first.day, (now() at time zone 'UTC')::date, '1 day') as s(day)
    left join changes c on c.day = s.day order by s.day desc`.execute(tx.db);
  let open = openNow;
  const trend = rows.map(({ day, change }) => {
    const point = { day, open };
    open -= change;
    return point;
  });
  return trend.toReversed();
}

function laneChangesSql({ orgId }: FindingScope, { severity, category, dataSource }: LaneFilter): RawBuilder<unknown> {
  const ranks = severity.map((name) => String(severities.indexOf(name)));
  return sql`
    select day, sum(change) as change from finding_lane_day
    where org_id = ${orgId} and day > (now() at time zone 'UTC')::date - ${TREND_DAYS}::int
      ${ranks.length > 0 ? sql`and split_part(lane, chr(10), 1) = any(${ranks}::text[])` : sql``}
      ${category.length > 0 ? sql`and split_part(lane, chr(10), 2) = any(${category}::text[])` : sql``}
      ${dataSource.length > 0 ? sql`and (string_to_array(lane, chr(10)))[3:] && ${dataSource}::text[]` : sql``}
    group by day`;
}

function repositoryChangesSql(
  scope: FindingScope,
  { severity, category, dataSource }: LaneFilter,
): RawBuilder<unknown> {
  const ranks = severity.map((name) => severities.indexOf(name));
  return sql`
    select day, sum(change) as change from finding_day
    where org_id = ${scope.orgId} and day > (now() at time zone 'UTC')::date - ${TREND_DAYS}::int and ${isVisibleSql('repository_id', scope)}
      ${ranks.length > 0 ? sql`and severity = any(${ranks}::smallint[])` : sql``}
      ${category.length > 0 ? sql`and category = any(${category}::text[])` : sql``}
      ${dataSource.length > 0 ? sql`and tools && ${dataSource}::text[]` : sql``}
    group by day`;
}
