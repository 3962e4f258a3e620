import { type Tool, toolPeopleShown, toolProjectsShown } from '@sightline/contract/tools/tools.ts';
import { sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import { inSight } from '../../sources/repositories/queries.ts';
import { personsOf } from './persons.ts';
import { type InventoryScope, isWide, seesPerson, type ToolFilter } from './scope.ts';

interface ToolUsage extends Pick<Tool, 'people' | 'projects' | 'inUse'> {
  /** The newest of what is seen; undefined where the whole organization's is meant. */
  version: string | null | undefined;
}

type Projects = Tool['projects'];

interface PeopleById {
  tool_id: string;
  total: number;
  ids: string[];
}

/** What a page shows of each of its tools beside the row itself: who has it now, and where it is now. */
export async function shownOf(
  tx: Tx,
  scope: InventoryScope,
  asked: ToolFilter,
  ids: readonly string[],
): Promise<(id: string) => ToolUsage> {
  const people = await peopleOf(tx, scope, asked, ids);
  const projects = await projectsOf(tx, scope, asked, ids);
  const versions = isWide(scope, asked) ? undefined : await versionsOf(tx, scope, asked, ids);
  const persons = await personsOf(
    tx,
    scope.orgId,
    people.flatMap((row) => row.ids),
  );
  return (id) => {
    const having = people.find(({ tool_id }) => tool_id === id) ?? { total: 0, ids: [] };
    const naming = projects.get(id) ?? { items: [], total: 0 };
    return {
      people: { items: having.ids.map(persons), total: having.total },
      projects: naming,
      inUse: having.total > 0 || naming.total > 0,
      version: versions && (versions.get(id) ?? null),
    };
  };
}

/** Of some repositories: those who wrote the lines in them; else everybody who has it. */
async function peopleOf(
  tx: Tx,
  scope: InventoryScope,
  { tab, projects }: ToolFilter,
  ids: readonly string[],
): Promise<PeopleById[]> {
  const having =
    tab === 'ci/cd' && projects.length > 0
      ? sql`tool_detection where org_id = ${scope.orgId} and repository_id = any(${projects}::uuid[]) and person_id is not null`
      : sql`tool_person where org_id = ${scope.orgId} and tab = ${tab}`;
  const { rows } = await sql<PeopleById>`
    select t.id as tool_id, coalesce(max(p.total), 0)::int as total, coalesce(array_agg(p.person_id order by p.since, p.person_id)
      filter (where p.person_id is not null), '{}') as ids
    from unnest(${ids}::text[]) as t(id) left join lateral (
      select person_id, min(first_seen) as since, count(*) over () as total from ${having}
        and tool_id = t.id and removed_at is null and ${seesPerson('person_id', scope)}
      group by person_id order by since, person_id limit ${toolPeopleShown}
    ) p on true group by t.id`.execute(tx.db);
  return rows;
}

async function projectsOf(
  tx: Tx,
  scope: InventoryScope,
  { tab }: ToolFilter,
  ids: readonly string[],
): Promise<Map<string, Projects>> {
  const { rows } = await sql<Projects & { tool_id: string }>`
    select t.id as tool_id, coalesce(max(p.total), 0)::int as total,
      coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'provider', r.provider, 'fullName', r.full_name) order by r.full_name)
        filter (where r.id is not null), '[]') as items
    from unnest(${ids}::text[]) as t(id) left join lateral (
      select repository_id, min(first_seen) as since, count(*) over () as total from tool_repository
      where org_id = ${scope.orgId} and tab = ${tab} and tool_id = t.id and removed_at is null and ${inSight('repository_id', scope)}
      group by repository_id order by since, repository_id limit ${toolProjectsShown}
    ) p on true left join repository r on r.org_id = ${scope.orgId} and r.id = p.repository_id group by t.id`.execute(
    tx.db,
  );
  return new Map(rows.map(({ tool_id, items, total }) => [tool_id, { items, total }]));
}

/** The version seen last by those, or in those repositories, that are seen and asked for. */
async function versionsOf(
  tx: Tx,
  scope: InventoryScope,
  asked: ToolFilter,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { users, projects, tab } = asked;
  const { rows } = await sql<{ id: string; version: string | null }>`
    select t.id, coalesce(
      ${
        projects.length > 0 && users.length === 0
          ? sql`null`
          : sql`(
        select version from tool_person where org_id = ${scope.orgId} and tab = ${tab} and tool_id = t.id and version is not null
          and ${seesPerson('person_id', scope)} ${users.length > 0 ? sql`and person_id = any(${users}::uuid[])` : sql``}
        order by last_seen desc limit 1)`
      },
      ${
        tab === 'developer' || (users.length > 0 && projects.length === 0)
          ? sql`null`
          : sql`(
        select version from tool_detection where org_id = ${scope.orgId} and tool_id = t.id and version is not null
          and removed_at is null and ${inSight('repository_id', scope)}
          ${projects.length > 0 ? sql`and repository_id = any(${projects}::uuid[])` : sql``}
        order by last_seen desc, id limit 1)`
      }) as version
    from unnest(${ids}::text[]) as t(id)`.execute(tx.db);
  return new Map(rows.flatMap(({ id, version }) => (version === null ? [] : [[id, version]])));
}
