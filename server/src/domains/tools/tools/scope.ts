import type { ToolSource, ToolTab } from '@sightline/contract/tools/tools.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#database/database.ts';
import { type RepositoryReader, seesEveryHost } from '../../organization/repository-access/queries.ts';
import { inSight, listReadable, type Sight } from '../../sources/repositories/queries.ts';

/** What of the inventory somebody sees. */
export interface InventoryScope extends Sight {
  orgId: string;
  /** What these persons have and no others; undefined: everybody. */
  people: readonly string[] | undefined;
}

/** A role whose reach is `own` sees the tools of its repositories, and of the people nobody but itself. */
export async function scopeOf(tx: Tx, reader: RepositoryReader): Promise<InventoryScope> {
  const { orgId } = reader;
  const isOwn = reader.reach('read:events') !== 'all';
  const isNarrow = isOwn || !seesEveryHost(reader);
  return {
    orgId,
    only: isNarrow ? await listReadable(tx, reader) : undefined,
    except: isNarrow ? [] : await disabledWithTools(tx, orgId),
    people: isOwn ? [reader.personId] : undefined,
  };
}

async function disabledWithTools(tx: Tx, orgId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>({
    name: 'tools.disabled',
    text: `select r.id from repository r where r.org_id = $1 and not r.tracked and exists (
             select from tool_repository t where t.org_id = $1 and t.repository_id = r.id)`,
    values: [orgId],
  });
  return rows.map(({ id }) => id);
}

/** Whether a column holds a person who is seen. */
export const seesPerson = (column: string, { people }: InventoryScope): RawBuilder<boolean> =>
  people ? sql<boolean>`${sql.ref(column)} = any(${people}::uuid[])` : sql<boolean>`true`;

/** What is asked of a tab beside what its tools are called. */
export interface ToolFilter {
  tab: ToolTab;
  /** Two days in UTC, both included: `2026-01-01,2026-01-31`. */
  period?: string | undefined;
  sources: readonly ToolSource[];
  users: readonly string[];
  projects: readonly string[];
  /** Ids of tools; all unless given. */
  only?: readonly string[];
}

/** Whether the sums of the whole organization answer it. */
export const isWide = ({ only, people }: InventoryScope, { users, projects }: ToolFilter): boolean =>
  !only && !people && users.length === 0 && projects.length === 0;

/** The tools somebody sees and asks for: `tool_id, first_seen, last_seen, sources`. */
export function seenTools(scope: InventoryScope, asked: ToolFilter): RawBuilder<unknown> {
  const { orgId } = scope;
  const { tab, users, projects, sources } = asked;
  if (isWide(scope, asked)) {
    return sql`
      select id as tool_id, first_seen, last_seen, sources from tool
      where org_id = ${orgId} and tab = ${tab} and ${within(asked)} ${named('id', asked)} ${isSeenSomewhere(scope)}
        ${sources.length > 0 ? sql`and sources && ${sources}::text[]` : sql``}`;
  }
  const parts = [
    ...(users.length === 0 || projects.length > 0 ? [inRepositories(scope, asked)] : []),
    ...(projects.length === 0 || users.length > 0 ? [withPeople(scope, asked)] : []),
  ];
  const both = users.length > 0 && projects.length > 0 ? sql`having count(distinct part) = 2` : sql``;
  return sql`
    select tool_id, min(first_seen) as first_seen, max(last_seen) as last_seen, array_agg(distinct source) as sources
    from (${sql.join(parts, sql` union all `)}) s group by tool_id ${both}`;
}

/** Whether the tool of a row `t` is still there, for whoever sees this much. */
export const isInUse = (scope: InventoryScope, { tab }: Pick<ToolFilter, 'tab'>): RawBuilder<boolean> => sql<boolean>`(
  exists (select from tool_repository u where u.org_id = ${scope.orgId} and u.tab = ${tab} and u.tool_id = t.id
    and u.removed_at is null and ${inSight('u.repository_id', scope)})
  or exists (select from tool_person u where u.org_id = ${scope.orgId} and u.tab = ${tab} and u.tool_id = t.id
    and u.removed_at is null and ${seesPerson('u.person_id', scope)}))`;

/** Disabled repositories count in the sums: a tool that only they have is left out, one that others have keeps its dates. */
const isSeenSomewhere = (scope: InventoryScope) =>
  scope.except.length === 0
    ? sql``
    : sql`and (
        exists (select from tool_repository s where s.org_id = tool.org_id and s.tab = tool.tab and s.tool_id = tool.id
          and ${inSight('s.repository_id', scope)})
        or exists (select from tool_person s where s.org_id = tool.org_id and s.tab = tool.tab and s.tool_id = tool.id))`;

const named = (column: string, { only }: ToolFilter) =>
  only ? sql`and ${sql.ref(column)} = any(${only}::text[])` : sql``;

const inRepositories = (scope: InventoryScope, asked: ToolFilter) => sql`
  select 'repository' as part, tool_id, first_seen, last_seen, source from tool_repository
  where org_id = ${scope.orgId} and tab = ${asked.tab} and ${inSight('repository_id', scope)} and ${within(asked)}
    ${named('tool_id', asked)}
    ${asked.projects.length > 0 ? sql`and repository_id = any(${asked.projects}::uuid[])` : sql``} ${from(asked)}`;

const withPeople = (scope: InventoryScope, asked: ToolFilter) => sql`
  select 'person' as part, tool_id, first_seen, last_seen, source from tool_person
  where org_id = ${scope.orgId} and tab = ${asked.tab} and ${seesPerson('person_id', scope)} and ${within(asked)}
    ${named('tool_id', asked)}
    ${asked.users.length > 0 ? sql`and person_id = any(${asked.users}::uuid[])` : sql``} ${from(asked)}`;

const from = ({ sources }: ToolFilter) => (sources.length > 0 ? sql`and source = any(${sources}::text[])` : sql``);

/** Whether a row was seen in the period: it was there before the end, and still after the beginning. */
export function within({ period }: Pick<ToolFilter, 'period'>): RawBuilder<boolean> {
  const [first, last] = period?.split(',') ?? [];
  if (first === undefined || last === undefined) return sql<boolean>`true`;
  return sql<boolean>`(last_seen >= ${first}::date::timestamptz and first_seen < (${last}::date + 1)::timestamptz)`;
}
