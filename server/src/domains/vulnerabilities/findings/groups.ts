import {
  type FindingGrouping,
  type FindingGroups,
  MAX_FINDING_GROUPS,
} from '@sightline/contract/vulnerabilities/findings.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { isVisibleSql } from '../../sources/repositories/queries.ts';
import { type LaneCells, matchingRowsSql, residualSql } from './cells.ts';
import { sumLaneCells } from './lanes.ts';
import { inLanesSql, isAllUnassigned, sumsByTitle, unassignedBySql } from './names.ts';
import { findingListOf } from './queries.ts';
import type { FindingScope, ResolvedFilter } from './scope.ts';
import { countShared } from './shared-counts.ts';
import { facetCellsSql } from './stored-counts.ts';

/** Counts matching findings by rule, repository, assignee or component. Lists the largest groups. */
export async function findingGroupsOf(
  tx: Tx,
  actor: Actor,
  by: FindingGrouping,
  filter: ResolvedFilter,
): Promise<FindingGroups> {
  const { scope, cells } = await findingListOf(tx, actor, { ...filter, sort: 'severity-desc' });
  const total = sumLaneCells(cells.cells);
  if (total === 0) return { groups: [], others: 0 };
  const counted = await largestGroups(tx, by, scope, cells);
  // Names are read each time; counts may be those of an earlier request.
  const { rows } = await sql<{ value: string; label: string; count: number }>`
    select c.value::text as value, ${labelSql[by].label} as label, c.count
    from unnest(${counted.map(({ value }) => value)}::${labelSql[by].type}[], ${counted.map(({ count }) => count)}::int[]) as c(value, count)
    ${labelSql[by].join(scope.orgId)}
    order by c.count desc, c.value`.execute(tx.db);
  const groups: FindingGroups['groups'] = rows.map(({ value, label, count }) => ({ value, label, count }));
  // Indexes contain only findings with an assignee or a component; the others are the rest of the total.
  const without = total - (counted[0]?.counted ?? 0);
  if (without > 0 && by === 'assignee') groups.push({ value: 'none', label: 'Unassigned', count: without });
  if (without > 0 && by === 'component') groups.push({ value: null, label: 'No component', count: without });
  groups.sort((one, other) => other.count - one.count);
  return { groups, others: total - groups.reduce((sum, { count }) => sum + count, 0) };
}

type GroupCount = {
  value: string;
  count: number;
  /** Number of findings in all groups. */
  counted: number;
};

/** Counts the largest groups: from stored counts if there are no conditions and no search. */
async function largestGroups(
  tx: Tx,
  by: FindingGrouping,
  scope: FindingScope,
  cells: LaneCells,
): Promise<readonly GroupCount[]> {
  const isStored = !scope.conditions && (by === 'rule' || by === 'repository' || hasStoredFacets(scope));
  const largest = sql<GroupCount>`
    with counted as materialized (${isStored && (by === 'assignee' || by === 'component') ? storedFacetSql(by, scope, cells) : countsSql[by](scope, cells)})
    select c.value::text as value, c.count::int as count, (select sum(count)::int from counted) as counted
    from (select * from counted where count > 0 order by count desc, value limit ${MAX_FINDING_GROUPS}) c`;
  return isStored ? (await largest.execute(tx.db)).rows : countShared(tx, scope.orgId, largest);
}

/** Whether counts by assignee, component and label apply: those of all repositories. */
export const hasStoredFacets = ({ only, titles, conditions }: FindingScope): boolean => !only && !titles && !conditions;

const storedFacetSql = (facet: 'assignee' | 'component', scope: FindingScope, cells: LaneCells) => sql`
  select c.lead::${labelSql[facet].type} as value, sum(c.count) as count from (${facetCellsSql(scope, facet)}) c
  where ${inLanesSql('c', cells)} group by 1`;

type CountsSql = (scope: FindingScope, cells: LaneCells) => RawBuilder<unknown>;

const countsSql: Record<FindingGrouping, CountsSql> = {
  rule: (scope, cells) => sql`select s.title_id as value, s.count from (${sumsByTitle(scope, cells)}) s`,
  repository: (scope, cells) => {
    if (isAllUnassigned(scope))
      return sql`select repository_id as value, count from (${unassignedBySql('repository_id', scope, cells)}) u`;
    if (scope.conditions) {
      const { table, condition } = matchingRowsSql(scope);
      return sql`select f.repository_id as value, count(*) as count from ${table}
        where ${condition} and ${inLanesSql('f', cells)} group by 1`;
    }
    const { titles } = scope;
    return sql`select c.repository_id as value, sum(c.count) as count
      from ${titles ? sql`finding_count` : sql`finding_repository_count`} c
      where c.org_id = ${scope.orgId} and ${isVisibleSql('c.repository_id', scope)} and ${inLanesSql('c', cells)}
        ${titles ? sql`and c.title_id = any(${titles}::uuid[])` : sql``} group by 1`;
  },
  assignee: (scope, cells) => ofColumnSql(sql`f.assignee_id`, scope, cells),
  component: (scope, cells) => ofColumnSql(sql`f.component`, scope, cells),
};

/** Counts by a column with a partial index of the findings that have it. */
const ofColumnSql = (column: RawBuilder<unknown>, scope: FindingScope, cells: LaneCells) => sql`
  select ${column} as value, count(*) as count from finding f
  where f.org_id = ${scope.orgId} and ${column} is not null and ${inLanesSql('f', cells)} ${residualSql(scope, 'none')}
  group by 1`;

interface GroupLabelSql {
  type: RawBuilder<unknown>;
  label: RawBuilder<string>;
  join: (orgId: string) => RawBuilder<unknown>;
}

const labelSql: Record<FindingGrouping, GroupLabelSql> = {
  rule: {
    type: sql`uuid`,
    label: sql<string>`t.title`,
    join: (orgId) => sql`join finding_title t on t.org_id = ${orgId} and t.id = c.value`,
  },
  repository: {
    type: sql`uuid`,
    label: sql<string>`r.full_name`,
    join: (orgId) => sql`join repository r on r.org_id = ${orgId} and r.id = c.value`,
  },
  assignee: {
    type: sql`uuid`,
    // A subquery per group, because there are few groups and many accounts.
    label: sql<string>`coalesce((select a.name from visible_account a where a.id = c.value), 'Former member')`,
    join: () => sql``,
  },
  component: { type: sql`text`, label: sql<string>`c.value`, join: () => sql`` },
};
