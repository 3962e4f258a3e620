import type { FindingFilter, FindingStats } from '@sightline/contract/findings.ts';
import { severities } from '@sightline/contract/severities.ts';
import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import { inScope, type Scope } from './scope.ts';

/** What the latest scan of each repository by each scanner changed, summed up, and when the latest of all was. */
export async function lastScans(
  tx: Tx,
  scope: Scope,
  tools: readonly string[],
): Promise<Pick<FindingStats, 'changeSinceLastScan' | 'lastScanAt'>> {
  const { orgId } = scope;
  const { rows } = await sql<{ added: number; fixed: number; at: Date | null }>`
    select coalesce(sum((s.counts->>'new')::int + (s.counts->>'reopened')::int), 0)::int as added,
      coalesce(sum((s.counts->>'fixed')::int), 0)::int as fixed, max(s.received_at) as at
    from finding_tool t join repository r on r.org_id = ${orgId} cross join lateral (
      select counts, received_at from scan
      where org_id = ${orgId} and tool = t.tool and repository_id = r.id and state = 'done'
      order by received_at desc limit 1) s
    where t.org_id = ${orgId} and r.tracked and ${inScope('r.id', scope)}
      ${tools.length > 0 ? sql`and t.tool = any(${tools}::text[])` : sql``}`.execute(tx.db);
  const [{ added, fixed, at } = { added: 0, fixed: 0, at: null }] = rows;
  return {
    changeSinceLastScan: at === null ? null : { added, fixed, net: added - fixed },
    lastScanAt: at?.toISOString() ?? null,
  };
}

const days = 30;

/** Open findings at the end of each day, worked back from how many there are now. Under a search nobody kept count. */
export async function trendOf(
  tx: Tx,
  scope: Scope,
  { severity, category, dataSource }: FindingFilter,
  openNow: number,
): Promise<FindingStats['trend']> {
  if (scope.titles) return [];
  const { orgId } = scope;
  const ranks = severity.map((name) => severities.indexOf(name));
  const { rows } = await sql<{ day: string; change: number }>`
    with first as (
      select greatest(min(day), (now() at time zone 'UTC')::date - ${days - 1}::int) as day from finding_day
      where org_id = ${orgId} and ${inScope('repository_id', scope)}
    ),
    changes as (
      select d.day, sum(d.change) as change from first join finding_day d on d.org_id = ${orgId} and d.day >= first.day
      where ${inScope('d.repository_id', scope)}
        ${ranks.length > 0 ? sql`and d.severity = any(${ranks}::smallint[])` : sql``}
        ${category.length > 0 ? sql`and d.category = any(${category}::text[])` : sql``}
        ${dataSource.length > 0 ? sql`and d.tools && ${dataSource}::text[]` : sql``}
      group by d.day
    )
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
