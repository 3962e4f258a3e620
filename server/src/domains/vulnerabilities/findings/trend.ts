import { type TrendDays, trendIntervals } from '@sightline/contract/core/trends.ts';
import type { FindingTrend } from '@sightline/contract/vulnerabilities/findings.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { isVisibleSql } from '../../sources/repositories/queries.ts';
import { countLaneCells } from './cells.ts';
import { currentMinute } from './conditions.ts';
import { countBySeverity } from './lanes.ts';
import { sumLastScanChanges } from './scan-trend.ts';
import { coversAllRepositories, type FindingScope, findingScopeOf } from './scope.ts';

/** The trend on Home: opened and fixed findings by interval of all repositories that the actor may see, and overdue ones. */
export async function findingTrendOf(
  services: Pick<Services, 'remediationLimits'>,
  tx: Tx,
  actor: Actor,
  days: TrendDays,
): Promise<FindingTrend> {
  const interval = days === 30 ? 'day' : 'week';
  const firstDays = trendIntervals(new Date(), { days, interval });
  const scope = await findingScopeOf(tx, actor, { repository: [], search: '', rule: [], conditions: undefined });
  const overdueBy = { limits: await services.remediationLimits.find(tx, actor.orgId), at: currentMinute() };
  const conditions = { overdueBy };
  const [opened, fixed] = [
    await countByInterval(tx, firstDays, openedDaysSql(scope, firstDays[0] ?? '')),
    await countByInterval(tx, firstDays, fixedDaysSql(scope, firstDays[0] ?? '')),
  ];
  return {
    interval,
    points: firstDays.map((day) => ({ day, opened: opened.get(day) ?? 0, fixed: fixed.get(day) ?? 0 })),
    overdue: countBySeverity((await countLaneCells(tx, { ...scope, conditions })).cells),
    lastScanAt: (await sumLastScanChanges(tx, scope, [])).lastScanAt,
  };
}

/** Sums rows `(day, count)` by the interval of their day. */
async function countByInterval(
  tx: Tx,
  firstDays: readonly string[],
  counts: RawBuilder<unknown>,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ day: string; count: number }>`
    select (${firstDays}::text[])[width_bucket(c.day, ${firstDays}::date[])] as day, sum(c.count)::int as count
    from (${counts}) c group by 1`.execute(tx.db);
  return new Map(rows.map(({ day, count }) => [day, count]));
}

const openedDaysSql = (scope: FindingScope, from: string): RawBuilder<unknown> =>
  scope.only
    ? openedOneByOneSql(scope, from)
    : sql`select day, sum(count) as count from finding_discovered where org_id = ${scope.orgId} and day >= ${from}::date
        group by day ${minusExcluded(scope, (apart) => openedOneByOneSql(apart, from))}`;

const openedOneByOneSql = (scope: FindingScope, from: string) => sql`
  select (f.discovered_at at time zone 'UTC')::date as day, count(*) as count from finding f
  where f.org_id = ${scope.orgId} and ${isVisibleSql('f.repository_id', scope)} and f.discovered_at >= ${from}::date::timestamptz
  group by 1`;

const fixedDaysSql = (scope: FindingScope, from: string): RawBuilder<unknown> =>
  scope.only
    ? fixedOneByOneSql(scope, from)
    : sql`select value::date as day, sum(count) as count from finding_facet_count
        where org_id = ${scope.orgId} and facet = 'fixed' and value >= ${from}
        group by value ${minusExcluded(scope, (apart) => fixedOneByOneSql(apart, from))}`;

const fixedOneByOneSql = (scope: FindingScope, from: string) => sql`
  select (f.fixed_at at time zone 'UTC')::date as day, count(*) as count from finding f
  where f.org_id = ${scope.orgId} and ${isVisibleSql('f.repository_id', scope)} and f.fixed_at >= ${from}::date::timestamptz
  group by 1`;

/** Subtracts the counts `(day, count)` of disabled repositories, which stored counts include. */
const minusExcluded = (scope: FindingScope, counts: (apart: FindingScope) => RawBuilder<unknown>) =>
  coversAllRepositories(scope)
    ? sql``
    : sql`union all select day, -count from (${counts({ ...scope, only: scope.except, except: [] })}) e`;
