import { findingCategories, findingCategoryNames } from '@sightline/contract/core/finding-categories.ts';
import { severities } from '@sightline/contract/core/severities.ts';
import { type findingFilterNames, findingStatuses } from '@sightline/contract/vulnerabilities/findings.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#database/database.ts';
import { isVisibleSql } from '../../sources/repositories/queries.ts';
import { countLaneCells, type LaneCells, leadTable, matchingRowsSql, residualSql } from './cells.ts';
import type { FindingConditions } from './conditions.ts';
import { filterLaneCells } from './cursor-pagination.ts';
import { hasLabelColumnsOnly } from './facets.ts';
import { findingGroupsOf, hasStoredFacets } from './groups.ts';
import { type LaneCell, type LaneFilter, laneCellPredicate } from './lanes.ts';
import { inLanesSql, isAllUnassigned, unassignedBySql } from './names.ts';
import { findingListOf } from './queries.ts';
import { loadScannerNames } from './rows.ts';
import { type FindingScope, findingScopeOf, type ResolvedFilter } from './scope.ts';
import { countShared } from './shared-counts.ts';
import { facetCellsSql } from './stored-counts.ts';

type Name = (typeof findingFilterNames)[number];

interface FilterChoice {
  value: string;
  label: string;
  count: number;
}

/** Returns the values of one filter, with counts under the other filters. */
export async function listFilterChoices(
  tx: Tx,
  actor: Actor,
  name: Name,
  filter: ResolvedFilter,
): Promise<FilterChoice[]> {
  if (name === 'repositories') return listRepositories(tx, actor, filter);
  if (name === 'assignees') return listAssignees(tx, actor, filter);
  if (name === 'labels') return listLabels(tx, actor, filter);
  const key = filterKeys[name];
  const { cells } = await countLaneCells(tx, await findingScopeOf(tx, actor, filter));
  const matching = cells.filter(laneCellPredicate(filter, key));
  const count = (values: (cell: LaneCell) => readonly string[]) => (value: string) =>
    matching.reduce((sum, cell) => sum + (values(cell).includes(value) ? cell.count : 0), 0);
  if (name === 'dataSources') {
    const names = await loadScannerNames(tx, actor.orgId);
    const countTool = count(({ lane }) => lane.tools);
    return [...names]
      .map(([value, label]) => ({ value, label, count: countTool(value) }))
      .toSorted((one, other) => one.label.localeCompare(other.label));
  }
  const [labels, values] = fixedChoices[name];
  return Object.entries(labels).map(([value, label]) => ({ value, label, count: count(values)(value) }));
}

const filterKeys = {
  severities: 'severity',
  categories: 'category',
  dataSources: 'dataSource',
  statuses: 'status',
} as const satisfies Record<Exclude<Name, 'repositories' | 'assignees' | 'labels'>, keyof LaneFilter>;

const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
const labelsOf = (words: readonly string[]) => Object.fromEntries(words.map((word) => [word, capital(word)]));

/** Choices that are always listed, in their usual order. */
const fixedChoices = {
  severities: [labelsOf(severities), ({ lane }: LaneCell) => [lane.severity]],
  categories: [
    Object.fromEntries(findingCategories.map((name) => [name, findingCategoryNames[name]])),
    ({ lane }: LaneCell) => [lane.category],
  ],
  statuses: [labelsOf(findingStatuses), ({ status }: LaneCell) => [status]],
} as const;

async function listAssignees(tx: Tx, actor: Actor, filter: ResolvedFilter): Promise<FilterChoice[]> {
  const { groups } = await findingGroupsOf(tx, actor, 'assignee', withoutCondition(filter, 'assignees'));
  return groups.flatMap(({ value, ...group }) => (value === null ? [] : [{ value, ...group }]));
}

async function listLabels(tx: Tx, actor: Actor, filter: ResolvedFilter): Promise<FilterChoice[]> {
  const list = await findingListOf(tx, actor, { ...withoutCondition(filter, 'labels'), sort: 'severity-desc' });
  const { scope, cells } = list;
  if (hasStoredFacets(scope)) {
    const { rows } = await sql<FilterChoice>`
      select c.lead as value, c.lead as label, sum(c.count)::int as count from (${facetCellsSql(scope, 'label')}) c
      where ${inLanesSql('c', cells)} group by c.lead order by c.lead limit ${MAX_LABELS}`.execute(tx.db);
    return rows;
  }
  const rows = sql`(select l.label, f.* from finding_label l join finding f on f.org_id = ${scope.orgId} and f.id = l.finding_id
    where l.org_id = ${scope.orgId}) f`;
  const labels = await countShared(
    tx,
    scope.orgId,
    sql<FilterChoice>`
      select f.label as value, f.label, count(*)::int as count from ${hasLabelColumnsOnly(scope) ? leadTable('label') : rows}
      where f.org_id = ${scope.orgId} and ${inLanesSql('f', cells)} ${residualSql(scope, 'none')}
      group by f.label order by f.label limit ${MAX_LABELS}`,
  );
  return [...labels];
}

const MAX_LABELS = 500;

function withoutCondition(filter: ResolvedFilter, but: keyof FindingConditions): ResolvedFilter {
  const { [but]: _, ...conditions } = filter.conditions ?? {};
  const hasOthers = Object.values(conditions).some((condition) => condition !== undefined);
  return { ...filter, conditions: hasOthers ? conditions : undefined };
}

/** Lists repositories with matching findings, and the selected ones. */
async function listRepositories(tx: Tx, actor: Actor, filter: ResolvedFilter): Promise<FilterChoice[]> {
  const scope = await findingScopeOf(tx, actor, { ...filter, repository: [] });
  const { orgId, titles } = scope;
  const matching = filterLaneCells(await countLaneCells(tx, scope), filter);
  const table = titles ? sql`finding_count` : sql`finding_repository_count`;
  const stored = sql`
    select c.repository_id as id, sum(c.count)::int as count from ${table} c
    where c.org_id = ${orgId} and ${isVisibleSql('c.repository_id', scope)} and c.count > 0 and ${inLanesSql('c', matching)}
      ${titles ? sql`and c.title_id = any(${titles}::uuid[])` : sql``}
    group by c.repository_id`;
  const { rows } = await sql<FilterChoice>`
    select r.id as value, r.full_name as label, coalesce(c.count, 0)::int as count
    from repository r left join (${scope.conditions ? await matchingByRepository(tx, scope, matching) : stored}) c on c.id = r.id
    where r.org_id = ${orgId} and r.tracked and ${isVisibleSql('r.id', scope)}
      and (c.count > 0 or r.id = any(${filter.repository}::uuid[]))
    order by r.full_name, r.id`.execute(tx.db);
  return rows;
}

/** Counts findings with conditions by repository, as a table `(id, count)`. */
async function matchingByRepository(tx: Tx, scope: FindingScope, cells: LaneCells): Promise<RawBuilder<unknown>> {
  const { table, condition } = matchingRowsSql(scope);
  const counts = await countShared(
    tx,
    scope.orgId,
    isAllUnassigned(scope)
      ? sql<{ id: string; count: number }>`
          select repository_id as id, count::int from (${unassignedBySql('repository_id', scope, cells)}) u`
      : sql<{ id: string; count: number }>`
          select f.repository_id as id, count(*)::int as count from ${table} where ${condition} and ${inLanesSql('f', cells)}
          group by f.repository_id`,
  );
  return sql`select id, count from unnest(${counts.map(({ id }) => id)}::uuid[], ${counts.map(({ count }) => count)}::int[]) as u(id, count)`;
}
