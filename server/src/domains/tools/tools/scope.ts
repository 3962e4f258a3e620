import type { ToolSource, ToolTab } from '@sightline/contract/tools/tools.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import { shareRows } from '#database/shared-rows.ts';
import { type RepositoryReader, seesAllRepositories } from '../../organization/repository-access/queries.ts';
import { isVisibleSql, type RepositoryVisibility, readableRepositoryIds } from '../../sources/repositories/queries.ts';

/** The part of the inventory that a member may see. */
export interface InventoryScope extends RepositoryVisibility {
  orgId: string;
  /** Only tools of these persons; undefined: of all persons. */
  people: readonly string[] | undefined;
  /** Of the tools of the organization, their detections and use, for rows that are shared until these change. */
  version: string | undefined;
}

/**
 * Returns the scope of a member. With the permission scope `own`, they see tools of their repositories and their own
 * tools.
 */
export async function inventoryScopeOf(tx: Tx, reader: RepositoryReader): Promise<InventoryScope> {
  const { orgId } = reader;
  const isOwn = reader.reach('read:events') !== 'all';
  const isNarrow = isOwn || !seesAllRepositories(reader);
  const { version, disabled } = await readState(tx, orgId, isNarrow);
  return {
    orgId,
    only: isNarrow ? await readableRepositoryIds(tx, reader) : undefined,
    except: disabled,
    people: isOwn ? [reader.personId] : undefined,
    version,
  };
}

/** The version of the tools, unless this transaction has changed rows, and the disabled repositories with tools. */
async function readState(
  tx: Tx,
  orgId: string,
  isNarrow: boolean,
): Promise<{ version: string | undefined; disabled: string[] }> {
  const [state] = await tx.query<{ version: string | null; disabled: string[] }>({
    name: 'tools.state',
    text: `select (select version from tool_version where org_id = $1 and pg_current_xact_id_if_assigned() is null) as version,
             case when $2 then '{}' else array(
               select r.id from repository r where r.org_id = $1 and not r.tracked and exists (
                 select from tool_repository t where t.org_id = $1 and t.repository_id = r.id) order by r.id) end as disabled`,
    values: [orgId, isNarrow],
  });
  return { version: state?.version ?? undefined, disabled: state?.disabled ?? [] };
}

/** Whether the person in a column is in scope. */
export const personInScopeSql = (column: string, { people }: InventoryScope): RawBuilder<boolean> =>
  people ? sql<boolean>`${sql.ref(column)} = any(${people}::uuid[])` : sql<boolean>`true`;

/** The filter of a tab, apart from names. */
export interface ToolFilter {
  tab: ToolTab;
  /** Two days in UTC, both included: `2026-01-01,2026-01-31`. */
  period?: string | undefined;
  sources: readonly ToolSource[];
  users: readonly string[];
  projects: readonly string[];
  /** Tool IDs; all if absent. */
  only?: readonly string[];
}

/** Whether the counts of the entire organization apply. */
export const usesOrganizationTotals = ({ only, people }: InventoryScope, { users, projects }: ToolFilter): boolean =>
  !only && !people && users.length === 0 && projects.length === 0;

/**
 * Selects the tools in scope that match the filter: `tool_id, first_seen, last_seen, sources`. Counts include disabled
 * repositories: omits tools that only those have, `hidden`; other tools keep their dates.
 */
export function toolsInScopeSql(
  scope: InventoryScope,
  filter: ToolFilter,
  hidden: readonly string[],
): RawBuilder<unknown> {
  const { users, projects } = filter;
  if (usesOrganizationTotals(scope, filter)) {
    return sql`select id as tool_id, first_seen, last_seen, sources from tool where ${organizationConditionSql(scope, filter, hidden)}`;
  }
  const parts = [
    ...(users.length === 0 || projects.length > 0 ? [inRepositories(scope, filter)] : []),
    ...(projects.length === 0 || users.length > 0 ? [withPeople(scope, filter)] : []),
  ];
  const both = users.length > 0 && projects.length > 0 ? sql`having count(distinct part) = 2` : sql``;
  return sql`
    select tool_id, min(first_seen) as first_seen, max(last_seen) as last_seen, array_agg(distinct source) as sources
    from (${sql.join(parts, sql` union all `)}) s group by tool_id ${both}`;
}

/** Whether the tool of a row `t` is in use within the scope. */
export const isInUseSql = (
  scope: InventoryScope,
  { tab }: Pick<ToolFilter, 'tab'>,
): RawBuilder<boolean> => sql<boolean>`(
  exists (select from tool_repository u where u.org_id = ${scope.orgId} and u.tab = ${tab} and u.tool_id = t.id
    and u.removed_at is null and ${isVisibleSql('u.repository_id', scope)})
  or exists (select from tool_person u where u.org_id = ${scope.orgId} and u.tab = ${tab} and u.tool_id = t.id
    and u.removed_at is null and ${personInScopeSql('u.person_id', scope)}))`;

/** Selects the rows of these tools; dates and sources are those in scope. */
export function toolRowsSql(scope: InventoryScope, filter: ToolFilter, hidden: readonly string[]): RawBuilder<unknown> {
  const { orgId } = scope;
  if (usesOrganizationTotals(scope, filter))
    return sql`
      select id, name, vendor, icon, kind, categories, version, sources, first_seen, last_seen from tool
      where ${organizationConditionSql(scope, filter, hidden)}`;
  return sql`
    select t.id, t.name, t.vendor, t.icon, t.kind, t.categories, t.version, v.sources, v.first_seen, v.last_seen
    from (${toolsInScopeSql(scope, filter, hidden)}) v join tool t on t.org_id = ${orgId} and t.tab = ${filter.tab} and t.id = v.tool_id`;
}

const organizationConditionSql = (scope: InventoryScope, filter: ToolFilter, hidden: readonly string[]) => sql`
  org_id = ${scope.orgId} and tab = ${filter.tab} and ${seenInPeriodSql(filter)} ${toolIdConditionSql('id', filter)}
  ${hidden.length > 0 ? sql`and id <> all(${hidden}::text[])` : sql``}
  ${filter.sources.length > 0 ? sql`and sources && ${filter.sources}::text[]` : sql``}`;

/** The IDs of the tools of a tab that only disabled repositories have. */
export async function hiddenToolsOf(tx: Tx, scope: InventoryScope, tab: ToolTab): Promise<readonly string[]> {
  if (scope.except.length === 0) return [];
  const rows = await shareRows(
    tx,
    scope,
    sql<{ id: string }>`
      select t.id from tool t where t.org_id = ${scope.orgId} and t.tab = ${tab}
        and not exists (select from tool_repository s where s.org_id = ${scope.orgId} and s.tab = ${tab} and s.tool_id = t.id
          and ${isVisibleSql('s.repository_id', scope)})
        and not exists (select from tool_person s where s.org_id = ${scope.orgId} and s.tab = ${tab} and s.tool_id = t.id)`,
  );
  return rows.map(({ id }) => id);
}

/** The IDs of the tools of a tab that are in use within the scope. */
export async function toolsInUse(tx: Tx, scope: InventoryScope, tab: ToolTab): Promise<readonly string[]> {
  const rows = await shareRows(
    tx,
    scope,
    sql<{
      id: string;
    }>`select t.id from tool t where t.org_id = ${scope.orgId} and t.tab = ${tab} and ${isInUseSql(scope, { tab })}`,
  );
  return rows.map(({ id }) => id);
}

const toolIdConditionSql = (column: string, { only }: ToolFilter) =>
  only ? sql`and ${sql.ref(column)} = any(${only}::text[])` : sql``;

const inRepositories = (scope: InventoryScope, filter: ToolFilter) => sql`
  select 'repository' as part, tool_id, first_seen, last_seen, source from tool_repository
  where org_id = ${scope.orgId} and tab = ${filter.tab} and ${isVisibleSql('repository_id', scope)} and ${seenInPeriodSql(filter)}
    ${toolIdConditionSql('tool_id', filter)}
    ${filter.projects.length > 0 ? sql`and repository_id = any(${filter.projects}::uuid[])` : sql``} ${sourceConditionSql(filter)}`;

const withPeople = (scope: InventoryScope, filter: ToolFilter) => sql`
  select 'person' as part, tool_id, first_seen, last_seen, source from tool_person
  where org_id = ${scope.orgId} and tab = ${filter.tab} and ${personInScopeSql('person_id', scope)} and ${seenInPeriodSql(filter)}
    ${toolIdConditionSql('tool_id', filter)}
    ${filter.users.length > 0 ? sql`and person_id = any(${filter.users}::uuid[])` : sql``} ${sourceConditionSql(filter)}`;

const sourceConditionSql = ({ sources }: ToolFilter) =>
  sources.length > 0 ? sql`and source = any(${sources}::text[])` : sql``;

/** Whether a row was seen in the period: first seen before its end, and last seen after its start. */
export function seenInPeriodSql({ period }: Pick<ToolFilter, 'period'>): RawBuilder<boolean> {
  const [first, last] = period?.split(',') ?? [];
  if (first === undefined || last === undefined) return sql<boolean>`true`;
  return sql<boolean>`(last_seen >= ${first}::date::timestamptz and first_seen < (${last}::date + 1)::timestamptz)`;
}
