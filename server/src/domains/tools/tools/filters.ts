import {
  type ToolApproval,
  type ToolFilters,
  type ToolKind,
  type ToolSource,
  type ToolStatus,
  type ToolTab,
  toolApprovalNames,
  toolKindNames,
  toolSourceNames,
  toolStatusNames,
} from '@sightline/contract/tools/tools.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { loadPersonDisplays } from '#core/person-displays.ts';
import type { Tx } from '#database/database.ts';
import { isVisibleSql } from '../../sources/repositories/queries.ts';
import { loadToolApprovals } from './approvals.ts';
import {
  type InventoryScope,
  inventoryScopeOf,
  isInUseSql,
  personInScopeSql,
  seenInPeriodSql,
  type ToolFilter,
  toolsInScopeSql,
} from './scope.ts';

interface FilterQuery {
  tab: ToolTab;
  period?: string | undefined;
  projects: readonly string[];
}
type Choices = ToolFilters['vendors'];

/** Returns the filter choices of a tab, each with the number of tools. */
export async function listInventoryFilters(tx: Tx, actor: Actor, query: FilterQuery): Promise<ToolFilters> {
  const scope = await inventoryScopeOf(tx, actor);
  const filter: ToolFilter = { ...query, period: query.period, sources: [], users: [] };
  const other: ToolFilter = { ...filter, tab: filter.tab === 'developer' ? 'ci/cd' : 'developer' };
  const tools = await toolsOf(tx, scope, filter);
  const totals = [tools.length, await countOf(tx, scope, other)] as const;
  const [cicd, developer] = filter.tab === 'ci/cd' ? totals : totals.toReversed();
  return {
    totals: { cicd: cicd ?? 0, developer: developer ?? 0 },
    vendors: countBy(tools, ({ vendor }) => (vendor === null ? [] : [vendor])),
    toolsTypes: countBy(tools, ({ kind }) => [kind], toolKindNames),
    toolsSources: countBy(tools, ({ sources }) => sources, toolSourceNames),
    categories: countBy(tools, ({ categories }) => categories),
    statuses: countBy(tools, ({ status }) => [status], toolStatusNames),
    approvals: countBy(tools, ({ approval }) => [approval], toolApprovalNames),
    members: await peopleOf(tx, scope, filter),
    repositories: await projectsOf(tx, scope, filter),
    scanning: await scanningOf(tx, scope),
  };
}

interface FilterRow {
  vendor: string | null;
  kind: ToolKind;
  categories: string[];
  sources: ToolSource[];
  status: ToolStatus;
  approval: ToolApproval;
}

async function toolsOf(tx: Tx, scope: InventoryScope, filter: ToolFilter): Promise<FilterRow[]> {
  const approvals = await loadToolApprovals(tx, scope.orgId);
  const { rows } = await sql<Omit<FilterRow, 'approval'> & { id: string; version: string | null }>`
    select t.id, t.version, t.vendor, t.kind, t.categories, v.sources, case when ${isInUseSql(scope, filter)} then 'in-use' else 'gone' end as status
    from (${toolsInScopeSql(scope, filter)}) v
    join tool t on t.org_id = ${scope.orgId} and t.tab = ${filter.tab} and t.id = v.tool_id`.execute(tx.db);
  return rows.map(({ id, version, ...row }) => ({
    ...row,
    approval: approvals.of({ id, version, firstSeen: '' }).state,
  }));
}

async function countOf(tx: Tx, scope: InventoryScope, filter: ToolFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${toolsInScopeSql(scope, filter)}) v`.execute(tx.db);
  return rows[0]?.count ?? 0;
}

function countBy<Value extends string>(
  tools: readonly FilterRow[],
  valuesOf: (tool: FilterRow) => readonly Value[],
  labels?: Readonly<Record<Value, string>>,
): Choices {
  const counts = new Map<Value, number>();
  for (const tool of tools)
    for (const value of new Set(valuesOf(tool))) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, label: labels?.[value] ?? value, count })).sort(byLabel);
}

const order = new Intl.Collator('en', { sensitivity: 'base' });
const byLabel = (one: Choices[number], other: Choices[number]) =>
  order.compare(one.label, other.label) || (one.value < other.value ? -1 : 1);

async function peopleOf(tx: Tx, scope: InventoryScope, filter: ToolFilter): Promise<Choices> {
  const { rows } = await sql<{ id: string; count: number }>`
    select person_id as id, count(*)::int as count from (
      select distinct person_id, tool_id from tool_person
      where org_id = ${scope.orgId} and tab = ${filter.tab} and ${personInScopeSql('person_id', scope)} and ${seenInPeriodSql(filter)}
    ) p group by person_id`.execute(tx.db);
  const persons = await loadPersonDisplays(
    tx,
    scope.orgId,
    rows.map(({ id }) => id),
  );
  return rows.map(({ id, count }) => ({ value: id, label: persons(id).name, count })).sort(byLabel);
}

async function projectsOf(tx: Tx, scope: InventoryScope, filter: ToolFilter): Promise<Choices> {
  const { rows } = await sql<Choices[number]>`
    select r.id as value, r.full_name as label, p.count from (
      select repository_id, count(*)::int as count from (
        select distinct repository_id, tool_id from tool_repository
        where org_id = ${scope.orgId} and tab = ${filter.tab} and ${isVisibleSql('repository_id', scope)} and ${seenInPeriodSql(filter)}
      ) d group by repository_id
    ) p join repository r on r.org_id = ${scope.orgId} and r.id = p.repository_id`.execute(tx.db);
  return rows.sort(byLabel);
}

// Number of names that the animation shows in half a minute.
const MAX_NAMES = 10;

async function scanningOf(tx: Tx, scope: InventoryScope): Promise<ToolFilters['scanning']> {
  const { rows } = await sql<ToolFilters['scanning']>`
    with scans as materialized (
      select s.state, r.full_name from tool_scan s
      join repository r on r.org_id = s.org_id and r.id = s.repository_id and r.tracked
      where s.org_id = ${scope.orgId} and ${isVisibleSql('s.repository_id', scope)}
    )
    select count(*)::int as total, (count(*) filter (where state in ('done', 'failed')))::int as done,
      array(select full_name from scans where state in ('queued', 'running') order by state = 'queued', full_name limit ${MAX_NAMES}) as names
    from scans`.execute(tx.db);
  return rows[0] ?? { done: 0, total: 0, names: [] };
}
