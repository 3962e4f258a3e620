import type { Page } from '@sightline/contract/core/endpoint.ts';
import {
  type listToolPeople,
  type listToolProjects,
  type ToolSource,
  toolTabs,
} from '@sightline/contract/tools/tools.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { loadPersonDisplays } from '#core/person-displays.ts';
import type { Tx } from '#database/database.ts';
import { containsText } from '#database/page.ts';
import { runPrepared } from '#database/run-prepared.ts';
import { isVisibleSql } from '../../sources/repositories/queries.ts';
import { scopeWithTool } from './queries.ts';
import { personInScopeSql } from './scope.ts';

type ToolHolders = z.output<typeof listToolPeople.response>;

interface PersonRow {
  total: number;
  person_id: string;
  source: ToolSource;
  program: string;
  version: string | null;
  first_seen: Date;
  last_seen: Date;
  removed_at: Date | null;
}

/**
 * Returns the persons who use a tool, one row per editor or browser, combined over devices. For a repository: the
 * authors of lines that reference the tool.
 */
export async function listPeopleOfTool(
  tx: Tx,
  actor: Actor,
  toolId: string,
  { search, sort, repository, page: number, perPage }: z.output<typeof listToolPeople.query>,
): Promise<Page<ToolHolders>> {
  const scope = await scopeWithTool(tx, actor, toolId);
  const holdersSql =
    repository === undefined
      ? sql`tool_person where org_id = ${scope.orgId} and tab = any(${toolTabs}::text[])`
      : sql`(select d.*, '' as program from tool_detection d where d.org_id = ${scope.orgId} and d.person_id is not null) d
          where repository_id = ${repository} and ${isVisibleSql('repository_id', scope)}`;
  const rows = await runPrepared(
    tx,
    sql<PersonRow>`
    select person_id, source, program,
      (array_agg(version order by last_seen desc) filter (where version is not null))[1] as version,
      min(first_seen) as first_seen, max(last_seen) as last_seen,
      case when bool_and(removed_at is not null) then max(removed_at) end as removed_at
    from ${holdersSql} and tool_id = ${toolId}
      and ${personInScopeSql('person_id', scope)}
    group by person_id, source, program order by max(last_seen) desc, person_id, source, program`,
  );
  const persons = await loadPersonDisplays(
    tx,
    scope.orgId,
    rows.map(({ person_id }) => person_id),
  );
  const allHolders = rows
    .map((row) => ({
      person: persons(row.person_id),
      source: row.source,
      program: row.program,
      version: row.version,
      firstSeen: row.first_seen.toISOString(),
      lastSeen: row.last_seen.toISOString(),
      removedAt: row.removed_at?.toISOString() ?? null,
    }))
    .filter(({ person }) => person.name.toLowerCase().includes(search.toLowerCase()));
  if (sort === 'date-asc') allHolders.reverse();
  else if (sort !== 'date-desc') {
    const direction = sort === 'name-asc' ? 1 : -1;
    allHolders.sort((one, other) => direction * names.compare(one.person.name, other.person.name));
  }
  return { total: allHolders.length, rows: allHolders.slice((number - 1) * perPage, number * perPage) };
}

const names = new Intl.Collator('en', { sensitivity: 'base' });

type Projects = z.output<typeof listToolProjects.response>;

const projectSorts = {
  'name-asc': sql`r.full_name`,
  'name-desc': sql`r.full_name desc`,
  'date-desc': sql`max(t.last_seen) desc`,
  'date-asc': sql`max(t.last_seen)`,
} as const;

/** Returns the repositories that reference a tool, or in which it was used. */
export async function listRepositoriesOfTool(
  tx: Tx,
  actor: Actor,
  toolId: string,
  { search, sort, page: number, perPage }: z.output<typeof listToolProjects.query>,
): Promise<Page<Projects>> {
  const scope = await scopeWithTool(tx, actor, toolId);
  const rows = await runPrepared(
    tx,
    sql<{ total: number; rows: Projects }>`
    with listed as materialized (
      select r.id, r.provider, r.full_name, array_agg(distinct t.source) as sources, min(t.first_seen) as first_seen,
        max(t.last_seen) as last_seen, case when bool_and(t.removed_at is not null) then max(t.removed_at) end as removed_at,
        row_number() over (order by ${projectSorts[sort]}, r.id) as place
      from tool_repository t join repository r on r.org_id = t.org_id and r.id = t.repository_id
      where t.org_id = ${scope.orgId} and t.tab = any(${toolTabs}::text[]) and t.tool_id = ${toolId}
        and ${isVisibleSql('t.repository_id', scope)}
        ${search === '' ? sql`` : sql`and ${containsText(sql.ref('r.full_name'), search)}`}
      group by r.id, r.provider, r.full_name
    )
    select (select count(*)::int from listed) as total, (
      select coalesce(jsonb_agg(jsonb_build_object('id', id, 'provider', provider, 'fullName', full_name, 'sources', sources,
        'firstSeen', first_seen, 'lastSeen', last_seen, 'removedAt', removed_at) order by place), '[]')
      from (select * from listed order by place limit ${perPage} offset ${(number - 1) * perPage}) p
    ) as rows`,
  );
  const [found] = rows;
  const iso = (time: string) => new Date(time).toISOString();
  return {
    total: found?.total ?? 0,
    rows: (found?.rows ?? []).map((row) => ({
      ...row,
      firstSeen: iso(row.firstSeen),
      lastSeen: iso(row.lastSeen),
      removedAt: row.removedAt && iso(row.removedAt),
    })),
  };
}
