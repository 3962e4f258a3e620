import {
  type ToolApproval,
  type ToolFilters,
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
import { runPrepared } from '#database/run-prepared.ts';
import { shareRows } from '#database/shared-rows.ts';
import { isVisibleSql } from '../../sources/repositories/queries.ts';
import { loadToolApprovals, type ToolApprovals } from './approvals.ts';
import {
  hiddenToolsOf,
  type InventoryScope,
  inventoryScopeOf,
  isInUseSql,
  personInScopeSql,
  seenInPeriodSql,
  type ToolFilter,
  toolRowsSql,
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
  const approvals = await loadToolApprovals(tx, scope.orgId);
  const rows = await countTools(tx, scope, filter, approvals.named);
  const { totals, repositories, ...choices } = fixedChoicesOf(rows);
  const [cicd, developer] = filter.tab === 'ci/cd' ? totals : totals.toReversed();
  return {
    totals: { cicd: cicd ?? 0, developer: developer ?? 0 },
    ...choices,
    approvals: approvalChoices(approvals, rows, totals[0]),
    members: await peopleOf(tx, scope, rows),
    repositories,
    scanning: await scanningOf(tx, scope),
  };
}

interface FixedChoices
  extends Pick<ToolFilters, 'vendors' | 'toolsTypes' | 'toolsSources' | 'categories' | 'statuses' | 'repositories'> {
  /** Of the tab and of the other one. */
  totals: readonly [number, number];
}

const fixedChoices = new WeakMap<readonly CountRow[], FixedChoices>();

/** The choices that depend on the counted rows only: sorted once for shared rows. */
function fixedChoicesOf(rows: readonly CountRow[]): FixedChoices {
  const known = fixedChoices.get(rows);
  if (known) return known;
  const choices: FixedChoices = {
    totals: [totalOf(rows, 'total'), totalOf(rows, 'other')],
    vendors: choicesOf(rows, 'vendor'),
    toolsTypes: choicesOf(rows, 'kind', toolKindNames),
    toolsSources: choicesOf(rows, 'source', toolSourceNames),
    categories: choicesOf(rows, 'category'),
    statuses: choicesOf(rows, 'status', toolStatusNames),
    repositories: choicesOf(rows, 'repository'),
  };
  fixedChoices.set(rows, choices);
  return choices;
}

type CountedField =
  | 'total'
  | 'other'
  | 'vendor'
  | 'kind'
  | 'source'
  | 'category'
  | 'status'
  | 'decided'
  | 'person'
  | 'repository';

interface CountRow {
  field: CountedField;
  value: string | null;
  /** Number of tools with the value. */
  count: number;
  /** The version of a tool that a policy names, or the name of a repository. */
  text: string | null;
}

/** Counts the tools of a tab by the value of each field, and those of the other tab; returns the tools that policies name. */
async function countTools(
  tx: Tx,
  scope: InventoryScope,
  filter: ToolFilter,
  named: readonly string[],
): Promise<readonly CountRow[]> {
  const other: ToolFilter = { ...filter, tab: filter.tab === 'developer' ? 'ci/cd' : 'developer' };
  const hidden = await hiddenToolsOf(tx, scope, filter.tab);
  const otherHidden = await hiddenToolsOf(tx, scope, other.tab);
  const { orgId } = scope;
  const { tab } = filter;
  return shareRows(
    tx,
    scope,
    sql<CountRow>`
      with listed as materialized (
        select t.id, t.version, t.vendor, t.kind, t.categories, t.sources, ${isInUseSql(scope, filter)} as in_use
        from (${toolRowsSql(scope, filter, hidden)}) t
      )
      select 'total' as field, null as value, count(*)::int as count, null as text from listed
      union all select 'other', null, count(*)::int, null from (${toolsInScopeSql(scope, other, otherHidden)}) o
      union all select 'vendor', vendor, count(*)::int, null from listed where vendor is not null group by vendor
      union all select 'kind', kind, count(*)::int, null from listed group by kind
      union all select 'source', source, count(*)::int, null
        from listed cross join lateral (select distinct unnest(sources)) as s(source) group by source
      union all select 'category', category, count(*)::int, null
        from listed cross join lateral (select distinct unnest(categories)) as c(category) group by category
      union all select 'status', case when in_use then 'in-use' else 'gone' end, count(*)::int, null from listed group by in_use
      union all select 'decided', id, 1, version from listed where id = any(${named}::text[])
      union all select 'person', person_id::text, count(*)::int, null from (
        select distinct person_id, tool_id from tool_person
        where org_id = ${orgId} and tab = ${tab} and ${personInScopeSql('person_id', scope)} and ${seenInPeriodSql(filter)}) p group by person_id
      union all select 'repository', r.id::text, c.count, r.full_name from (
        select repository_id, count(*)::int as count from (
          select distinct repository_id, tool_id from tool_repository
          where org_id = ${orgId} and tab = ${tab} and ${isVisibleSql('repository_id', scope)} and ${seenInPeriodSql(filter)}) d group by repository_id
        ) c join repository r on r.org_id = ${orgId} and r.id = c.repository_id`,
  );
}

const totalOf = (rows: readonly CountRow[], field: CountedField): number =>
  rows.find(({ field: one }) => one === field)?.count ?? 0;

const choicesOf = (
  rows: readonly CountRow[],
  field: CountedField,
  labels: Readonly<Record<string, string>> = {},
): Choices =>
  rows
    .flatMap(({ field: one, value, count, text }) =>
      one === field && value !== null ? [{ value, label: text ?? labels[value] ?? value, count }] : [],
    )
    .sort(byLabel);

/** Without a decision of a policy, a tool is not reviewed. */
function approvalChoices(approvals: ToolApprovals, rows: readonly CountRow[], total: number): Choices {
  const counts = new Map<ToolApproval, number>([['unreviewed', total]]);
  for (const { field, value, text: version } of rows) {
    if (field !== 'decided' || value === null) continue;
    const { state } = approvals.of({ id: value, version, firstSeen: '' });
    counts.set('unreviewed', (counts.get('unreviewed') ?? 0) - 1);
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > 0)
    .map(([value, count]) => ({ value, label: toolApprovalNames[value], count }))
    .sort(byLabel);
}

const order = new Intl.Collator('en', { sensitivity: 'base' });
const byLabel = (one: Choices[number], other: Choices[number]) =>
  order.compare(one.label, other.label) || (one.value < other.value ? -1 : 1);

async function peopleOf(tx: Tx, scope: InventoryScope, rows: readonly CountRow[]): Promise<Choices> {
  const people = rows.flatMap(({ field, value, count }) =>
    field === 'person' && value !== null ? [{ value, count }] : [],
  );
  const persons = await loadPersonDisplays(
    tx,
    scope.orgId,
    people.map(({ value }) => value),
  );
  return people.map(({ value, count }) => ({ value, label: persons(value).name, count })).sort(byLabel);
}

// Number of names that the animation shows in half a minute.
const MAX_NAMES = 10;

async function scanningOf(tx: Tx, scope: InventoryScope): Promise<ToolFilters['scanning']> {
  const rows = await runPrepared(
    tx,
    sql<ToolFilters['scanning']>`
    with scans as materialized (
      select state, repository_id from tool_scan
      where org_id = ${scope.orgId} and ${isVisibleSql('repository_id', scope)}
        and repository_id not in (select id from repository where org_id = ${scope.orgId} and not tracked)
    )
    select count(*)::int as total, (count(*) filter (where state in ('done', 'failed')))::int as done,
      array(
        select r.full_name from scans s join repository r on r.org_id = ${scope.orgId} and r.id = s.repository_id
        where s.state in ('queued', 'running') order by s.state = 'queued', r.full_name limit ${MAX_NAMES}) as names
    from scans`,
  );
  return rows[0] ?? { done: 0, total: 0, names: [] };
}
