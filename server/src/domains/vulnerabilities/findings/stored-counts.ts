import type { FindingStatus } from '@sightline/contract/vulnerabilities/findings.ts';
import { type RawBuilder, sql } from 'kysely';
import type { RemediationLimit } from '#core/remediation.ts';
import type { Tx } from '#database/database.ts';
import { runPrepared } from '#database/run-prepared.ts';
import { conditionsSql, type FindingConditions, overdueBeforeBySeverity } from './conditions.ts';
import { type Facet, facetOf, soleConditionOf } from './facets.ts';
import type { FindingScope } from './scope.ts';

/** A lane with the number of its findings; `laneCount` is the number without conditions, if it was read. */
export type StoredCellRow = {
  lead: string | null;
  status: FindingStatus;
  lane: string;
  count: number;
  laneCount?: number;
};

interface StoredCells {
  lead: 'none' | Facet;
  rows: readonly StoredCellRow[];
}

/**
 * Counts the findings of a list with one condition from the counts of the organization, minus the findings of disabled
 * repositories. Undefined if no stored counts have the condition. `lanes`: the counts without it.
 */
export async function countStoredCells(
  tx: Tx,
  scope: FindingScope,
  lanes: RawBuilder<unknown>,
): Promise<StoredCells | undefined> {
  const facet = soleConditionOf(scope) && facetOf(scope);
  if (facet) return { lead: facet.facet, rows: await runPrepared(tx, facetCellsSql(scope, facet.facet, facet.values)) };
  const parts = countPartsOf(scope, lanes);
  if (!parts) return undefined;
  const rows = await runPrepared(
    tx,
    sql<StoredCellRow>`
      select null::uuid as lead, c.status, c.lane, sum(c.count)::int as count, l.count as "laneCount"
      from (${sql.join(parts, sql` union all `)}) c
      join finding_lane_count l on l.org_id = ${scope.orgId} and l.status = c.status and l.lane = c.lane
      group by c.status, c.lane, l.count having sum(c.count) > 0`,
  );
  return { lead: 'none', rows };
}

/** Selects counts `(status, lane, count)` that add up to the list; undefined if there are none. */
function countPartsOf(scope: FindingScope, lanes: RawBuilder<unknown>): RawBuilder<unknown>[] | undefined {
  const conditions = soleConditionOf(scope);
  if (!conditions) return undefined;
  const { assignees, discoveredFrom, fixedFrom, overdueBy } = conditions;
  if (assignees) return unassignedParts(scope, assignees, lanes);
  const excluded = excludedPart(scope, conditions);
  if (discoveredFrom) return [discoveredPart(scope, discoveredFrom), ...excluded];
  if (fixedFrom) return [...fixedParts(scope, fixedFrom), ...excluded];
  return overdueBy && overdueParts(scope, overdueBy);
}

/** Subtracts the findings of disabled repositories that match the conditions. */
const excludedPart = ({ orgId, except }: FindingScope, conditions: FindingConditions): RawBuilder<unknown>[] =>
  except.length === 0
    ? []
    : [
        sql`select f.status, f.lane, -count(*) as count from finding f
            where f.org_id = ${orgId} and f.repository_id = any(${except}::uuid[]) ${conditionsSql(orgId, conditions)}
            group by f.status, f.lane`,
      ];

/** Selects counts `(lead, status, lane, count)` of the values of a facet; of all values without a list of them. */
export function facetCellsSql(
  { orgId, except }: FindingScope,
  facet: Facet,
  values?: readonly string[],
): RawBuilder<StoredCellRow> {
  const isAny = (column: string) => (values ? sql`and ${sql.ref(column)} = any(${values}::text[])` : sql``);
  const stored = sql`select value, status, lane, count from finding_facet_count
    where org_id = ${orgId} and facet = ${facet} ${isAny('value')}`;
  if (except.length === 0)
    return sql`select c.value as lead, c.status, c.lane, c.count from (${stored}) c where c.count > 0`;
  const excluded = {
    assignee: sql`select assignee_id::text as value, status, lane from finding
      where org_id = ${orgId} and repository_id = any(${except}::uuid[]) and assignee_id is not null`,
    component: sql`select component as value, status, lane from finding
      where org_id = ${orgId} and repository_id = any(${except}::uuid[]) and component is not null`,
    label: sql`select l.label as value, f.status, f.lane from finding f
      join finding_label l on l.org_id = ${orgId} and l.finding_id = f.id
      where f.org_id = ${orgId} and f.repository_id = any(${except}::uuid[])`,
  }[facet];
  return sql`
    select value as lead, status, lane, sum(count)::int as count from (
      ${stored} union all
      select value, status, lane, -count(*) from (${excluded}) e where true ${isAny('value')} group by value, status, lane
    ) c group by value, status, lane having sum(count) > 0`;
}

/** All findings, minus those of other assignees. */
function unassignedParts(
  scope: FindingScope,
  assignees: NonNullable<FindingConditions['assignees']>,
  lanes: RawBuilder<unknown>,
): RawBuilder<unknown>[] {
  const kept = assignees.filter((id) => id !== null);
  return [
    sql`select status, lane, count from (${lanes}) l`,
    sql`select status, lane, -count from (${facetCellsSql(scope, 'assignee')}) a where a.lead <> all(${kept}::text[])`,
  ];
}

/** Whole days from the stored counts, and the rest of the first day from the index. */
const discoveredPart = ({ orgId }: FindingScope, from: string): RawBuilder<unknown> => sql`
  select c.status, c.lane, coalesce(days.count, 0) + rest.count as count from finding_lane_count c
  cross join lateral (select sum(d.count) as count from finding_discovered d
    where d.org_id = ${orgId} and d.status = c.status and d.lane = c.lane and d.day > ${dayOf(from)}::date) days
  cross join lateral (select count(*) as count from finding f
    where f.org_id = ${orgId} and f.status = c.status and f.lane = c.lane and f.discovered_at >= ${from}::timestamptz
      and f.discovered_at < (${dayOf(from)}::date + 1)::timestamptz) rest
  where c.org_id = ${orgId} and c.count > 0`;

const fixedParts = ({ orgId }: FindingScope, from: string): RawBuilder<unknown>[] => [
  sql`select status, lane, sum(count) as count from finding_facet_count
      where org_id = ${orgId} and facet = 'fixed' and value > ${dayOf(from)} group by status, lane`,
  sql`select f.status, f.lane, count(*) as count from finding f
      where f.org_id = ${orgId} and f.fixed_at >= ${from}::timestamptz and f.fixed_at < (${dayOf(from)}::date + 1)::timestamptz
      group by f.status, f.lane`,
];

/** In UTC, as the stored counts. */
const dayOf = (time: string): string => new Date(time).toISOString().slice(0, 10);

/**
 * Findings beyond the last limit, which applies to all repositories. Those of disabled repositories and of repositories
 * with other limits are subtracted; the latter are added by their own limits.
 */
function overdueParts(
  scope: FindingScope,
  overdueBy: NonNullable<FindingConditions['overdueBy']>,
): RawBuilder<unknown>[] | undefined {
  const { orgId, except } = scope;
  const { limits, at } = overdueBy;
  const last = limits.at(-1);
  const special = limits.slice(0, -1).map(({ repositories }) => repositories);
  if (!last || special.includes(null)) return undefined;
  const ofOtherLimits = [...new Set(special.flatMap((ids) => ids ?? []))];
  const own = ofOtherLimits.filter((id) => !except.includes(id));
  const apart = { ...scope, except: [...new Set([...except, ...ofOtherLimits])] };
  return [
    beyondPart(orgId, last, at),
    ...excludedPart(apart, { overdueBy: { limits: [last], at } }),
    ...(own.length === 0
      ? []
      : [
          sql`select f.status, f.lane, count(*) as count from finding f
              where f.org_id = ${orgId} and f.repository_id = any(${own}::uuid[]) ${conditionsSql(orgId, { overdueBy })}
              group by f.status, f.lane`,
        ]),
  ];
}

/** Whole days from the stored counts, and the last day until the limit from the index. */
const beyondPart = (orgId: string, limit: RemediationLimit, at: number): RawBuilder<unknown> => sql`
  select c.status, c.lane, coalesce(days.count, 0) + rest.count as count from (
    select status, lane, (${overdueBeforeBySeverity(limit, at)}::timestamptz[])[split_part(lane, chr(10), 1)::int + 1] as before
    from finding_lane_count where org_id = ${orgId} and status = 'open' and count > 0
  ) c
  cross join lateral (select sum(d.count) as count from finding_discovered d
    where d.org_id = ${orgId} and d.status = c.status and d.lane = c.lane and d.day < (c.before at time zone 'UTC')::date) days
  cross join lateral (select count(*) as count from finding f
    where f.org_id = ${orgId} and f.status = c.status and f.lane = c.lane and f.discovered_at < c.before
      and f.discovered_at >= (c.before at time zone 'UTC')::date::timestamptz) rest
  where c.before is not null`;
