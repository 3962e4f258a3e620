import type { Tool, ToolTab } from '@sightline/contract/tools/tools.ts';
import { sql } from 'kysely';
import { loadPersonDisplays } from '#core/person-displays.ts';
import type { Tx } from '#database/database.ts';
import { runPrepared } from '#database/run-prepared.ts';
import { isVisibleSql } from '../../sources/repositories/queries.ts';
import { type InventoryFilter, type InventoryRow, toTools } from './queries.ts';
import { type InventoryScope, personInScopeSql } from './scope.ts';

/** A tool with the names of all its persons and repositories, beyond those on a page. */
export interface InventoryLine extends Tool {
  allPeople: string[];
  allProjects: string[];
}

export async function findInventoryLines(
  tx: Tx,
  scope: InventoryScope,
  filter: InventoryFilter,
  rows: readonly InventoryRow[],
): Promise<InventoryLine[]> {
  const ids = rows.map(({ id }) => id);
  const people = await peopleOf(tx, scope, filter.tab, ids);
  const projects = await projectsOf(tx, scope, filter.tab, ids);
  return (await toTools(tx, scope, filter, rows)).map((tool) => ({
    ...tool,
    allPeople: people.get(tool.id) ?? [],
    allProjects: projects.get(tool.id) ?? [],
  }));
}

async function peopleOf(
  tx: Tx,
  scope: InventoryScope,
  tab: ToolTab,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await runPrepared(
    tx,
    sql<{ tool_id: string; ids: string[] }>`
    select tool_id, array_agg(distinct person_id) as ids from tool_person
    where org_id = ${scope.orgId} and tab = ${tab} and tool_id = any(${ids}::text[]) and removed_at is null
      and ${personInScopeSql('person_id', scope)} group by tool_id`,
  );
  const persons = await loadPersonDisplays(
    tx,
    scope.orgId,
    rows.flatMap((row) => row.ids),
  );
  return new Map(rows.map((row) => [row.tool_id, row.ids.map((id) => persons(id).name).sort()]));
}

async function projectsOf(
  tx: Tx,
  scope: InventoryScope,
  tab: ToolTab,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await runPrepared(
    tx,
    sql<{ tool_id: string; names: string[] }>`
    select t.tool_id, array_agg(distinct r.full_name) as names from tool_repository t
    join repository r on r.org_id = t.org_id and r.id = t.repository_id
    where t.org_id = ${scope.orgId} and t.tab = ${tab} and t.tool_id = any(${ids}::text[]) and t.removed_at is null
      and ${isVisibleSql('t.repository_id', scope)} group by t.tool_id`,
  );
  return new Map(rows.map(({ tool_id, names }) => [tool_id, names]));
}
