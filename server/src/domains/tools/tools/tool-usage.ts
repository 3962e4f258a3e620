import { MAX_SHOWN_TOOL_PEOPLE, MAX_SHOWN_TOOL_PROJECTS, type Tool } from '@sightline/contract/tools/tools.ts';
import { sql } from 'kysely';
import { loadPersonDisplays } from '#core/person-displays.ts';
import type { Tx } from '#database/database.ts';
import { runPrepared } from '#database/run-prepared.ts';
import { isVisibleSql } from '../../sources/repositories/queries.ts';
import { type InventoryScope, personInScopeSql, type ToolFilter, usesOrganizationTotals } from './scope.ts';

interface ToolUsage extends Pick<Tool, 'people' | 'projects' | 'inUse'> {
  /** The latest version in scope; undefined if the version of the entire organization applies. */
  version: string | null | undefined;
}

type Projects = Tool['projects'];

interface PeopleById {
  tool_id: string;
  total: number;
  ids: string[];
}

/**
 * Returns for each tool of a page the first current people and repositories in scope with their totals, whether it is in
 * use, and its latest version. Of the filters, only the tab applies to people and repositories, and the repositories to
 * people of CI/CD tools. Used by `queries.ts` for the list, the detail page and the exports.
 */
export async function loadToolUsage(
  tx: Tx,
  scope: InventoryScope,
  filter: ToolFilter,
  ids: readonly string[],
): Promise<(id: string) => ToolUsage> {
  const peopleByTool = await firstPeopleOf(tx, scope, filter, ids);
  const repositoriesByTool = await firstRepositoriesOf(tx, scope, filter, ids);
  const versions = usesOrganizationTotals(scope, filter) ? undefined : await versionsOf(tx, scope, filter, ids);
  const persons = await loadPersonDisplays(
    tx,
    scope.orgId,
    peopleByTool.flatMap((row) => row.ids),
  );
  return (id) => {
    const toolPeople = peopleByTool.find(({ tool_id }) => tool_id === id) ?? { total: 0, ids: [] };
    const repositories = repositoriesByTool.get(id) ?? { items: [], total: 0 };
    return {
      people: { items: toolPeople.ids.map(persons), total: toolPeople.total },
      projects: repositories,
      inUse: toolPeople.total > 0 || repositories.total > 0,
      version: versions && (versions.get(id) ?? null),
    };
  };
}

/**
 * Returns the first people of each tool: with a filter by repositories on the CI/CD tab, the authors of the detections
 * there, else all people with the tool.
 */
async function firstPeopleOf(
  tx: Tx,
  scope: InventoryScope,
  { tab, projects }: ToolFilter,
  ids: readonly string[],
): Promise<PeopleById[]> {
  const peopleSql =
    tab === 'ci/cd' && projects.length > 0
      ? sql`tool_detection where org_id = ${scope.orgId} and repository_id = any(${projects}::uuid[]) and person_id is not null`
      : sql`tool_person where org_id = ${scope.orgId} and tab = ${tab}`;
  const rows = await runPrepared(
    tx,
    sql<PeopleById>`
    select t.id as tool_id, coalesce(max(p.total), 0)::int as total, coalesce(array_agg(p.person_id order by p.since, p.person_id)
      filter (where p.person_id is not null), '{}') as ids
    from unnest(${ids}::text[]) as t(id) left join lateral (
      select person_id, min(first_seen) as since, count(*) over () as total from ${peopleSql}
        and tool_id = t.id and removed_at is null and ${personInScopeSql('person_id', scope)}
      group by person_id order by since, person_id limit ${MAX_SHOWN_TOOL_PEOPLE}
    ) p on true group by t.id`,
  );
  return rows;
}

/** Returns the first repositories of each tool, by the time of their first detection. */
async function firstRepositoriesOf(
  tx: Tx,
  scope: InventoryScope,
  { tab }: ToolFilter,
  ids: readonly string[],
): Promise<Map<string, Projects>> {
  const rows = await runPrepared(
    tx,
    sql<Projects & { tool_id: string }>`
    select t.id as tool_id, coalesce(max(p.total), 0)::int as total,
      coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'provider', r.provider, 'fullName', r.full_name) order by r.full_name)
        filter (where r.id is not null), '[]') as items
    from unnest(${ids}::text[]) as t(id) left join lateral (
      select repository_id, min(first_seen) as since, count(*) over () as total from tool_repository
      where org_id = ${scope.orgId} and tab = ${tab} and tool_id = t.id and removed_at is null and ${isVisibleSql('repository_id', scope)}
      group by repository_id order by since, repository_id limit ${MAX_SHOWN_TOOL_PROJECTS}
    ) p on true left join repository r on r.org_id = ${scope.orgId} and r.id = p.repository_id group by t.id`,
  );
  return new Map(rows.map(({ tool_id, items, total }) => [tool_id, { items, total }]));
}

/** Returns the latest version of each tool among matching persons or repositories in scope. */
async function versionsOf(
  tx: Tx,
  scope: InventoryScope,
  filter: ToolFilter,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { users, projects, tab } = filter;
  const rows = await runPrepared(
    tx,
    sql<{ id: string; version: string | null }>`
    select t.id, coalesce(
      ${
        projects.length > 0 && users.length === 0
          ? sql`null`
          : sql`(
        select version from tool_person where org_id = ${scope.orgId} and tab = ${tab} and tool_id = t.id and version is not null
          and ${personInScopeSql('person_id', scope)} ${users.length > 0 ? sql`and person_id = any(${users}::uuid[])` : sql``}
        order by last_seen desc limit 1)`
      },
      ${
        tab === 'developer' || (users.length > 0 && projects.length === 0)
          ? sql`null`
          : sql`(
        select version from tool_detection where org_id = ${scope.orgId} and tool_id = t.id and version is not null
          and removed_at is null and ${isVisibleSql('repository_id', scope)}
          ${projects.length > 0 ? sql`and repository_id = any(${projects}::uuid[])` : sql``}
        order by last_seen desc, id limit 1)`
      }) as version
    from unnest(${ids}::text[]) as t(id)`,
  );
  return new Map(rows.flatMap(({ id, version }) => (version === null ? [] : [[id, version]])));
}
