import type { Page } from '@sightline/contract/core/endpoint.ts';
import {
  MAX_SHOWN_TOOL_PEOPLE,
  MAX_SHOWN_TOOL_PROJECTS,
  type Tool,
  type ToolKind,
  type ToolsQuery,
} from '@sightline/contract/tools/tools.ts';
import { sql } from 'kysely';
import { entriesById, type LedgerSize, refuseUnrecordedFilters } from '#core/ledger-size.ts';
import { loadPersonDisplays } from '#core/person-displays.ts';
import { isRecordedAt } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import { isVisibleSql } from '../../sources/repositories/queries.ts';
import { loadToolApprovals } from './approvals.ts';
import { type InventoryScope, personInScopeSql, seenInPeriodSql } from './scope.ts';

type Holder = 'person' | 'repository';

interface SeenTool {
  id: string;
  name: string;
  vendor: string | null;
  icon: string | null;
  kind: ToolKind;
  categories: string[];
  first_seen: Date;
  last_seen: Date;
  version: string | null;
  entry: string;
}

/**
 * One page of the tools at a ledger size, by their daily sightings until then: people and repositories are all with a
 * sighting, and the version is the last known one. Names, vendors and categories are those of today. Throws 400 for
 * filters on what sightings do not record.
 */
export async function listToolsAtSize(
  tx: Tx,
  scope: InventoryScope,
  query: ToolsQuery,
  size: LedgerSize,
): Promise<Page<Tool[]>> {
  refuseUnrecordedFilters(query, ['search', 'vendors', 'types', 'sources', 'categories', 'statuses']);
  const approvals = await loadToolApprovals(tx, scope.orgId, size);
  const tools = (await listSeenTools(tx, scope, query, size))
    .map((seen) => {
      const firstSeen = seen.first_seen.toISOString();
      return { seen, firstSeen, approval: approvals.of({ id: seen.id, version: seen.version, firstSeen }) };
    })
    .filter(({ approval }) => query.approvals.length === 0 || query.approvals.includes(approval.state))
    .filter(({ firstSeen }) => isFirstSeenSince(firstSeen, query.firstSeenFrom))
    .toSorted((one, other) => orders[query.sort](one.seen, other.seen));
  const start = (query.page - 1) * query.perPage;
  const paged = tools.slice(start, start + query.perPage);
  const ids = paged.map(({ seen }) => seen.id);
  const [people, projects] = [
    await peopleOf(tx, scope, query, { size, ids }),
    await projectsOf(tx, scope, query, { size, ids }),
  ];
  const entries = await entriesById(
    tx,
    scope.orgId,
    size,
    paged.map(({ seen }) => seen.entry),
  );
  return {
    total: tools.length,
    rows: paged.map(({ seen: { first_seen: _, last_seen: lastSeen, entry, ...seen }, ...tool }) => ({
      ...seen,
      ...tool,
      type: query.tab,
      sources: [],
      source: null,
      lastSeen: lastSeen.toISOString(),
      inUse: null,
      people: people.get(seen.id) ?? { items: [], total: 0 },
      projects: projects.get(seen.id) ?? { items: [], total: 0 },
      recorded: { entry: entries.get(entry) ?? null, missing: missingOf(query, seen.version) },
    })),
  };
}

const isFirstSeenSince = (firstSeen: string, since: string | undefined): boolean =>
  since === undefined || Date.parse(firstSeen) >= Date.parse(since);

// For tools of builds, sightings name repositories only.
const missingOf = ({ tab }: ToolsQuery, version: string | null): string[] => [
  'sources',
  'inUse',
  ...(version === null ? ['version'] : []),
  ...(tab === 'ci/cd' ? ['people'] : []),
];

const orderByText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
const byName = (one: SeenTool, other: SeenTool) =>
  orderByText(one.name.toLowerCase(), other.name.toLowerCase()) || orderByText(one.id, other.id);
const byDate = (one: SeenTool, other: SeenTool) =>
  one.last_seen.getTime() - other.last_seen.getTime() || orderByText(one.id, other.id);
const orders: Record<ToolsQuery['sort'], (one: SeenTool, other: SeenTool) => number> = {
  'name-asc': byName,
  'name-desc': (one, other) => byName(other, one),
  'date-asc': byDate,
  'date-desc': (one, other) => byDate(other, one),
};

/** The sightings in scope at the size: `tool_id, holder, holder_id, version, seen_at, entry_id`. Follows merged persons. */
const sightingsSql = (scope: InventoryScope, { tab }: Pick<ToolsQuery, 'tab'>, size: LedgerSize) => sql`
  select * from (
    select s.tool_id, s.holder, coalesce(p.merged_into, s.holder_id) as holder_id, s.version, s.seen_at, s.entry_id
    from tool_sighting s left join person p on p.org_id = s.org_id and p.id = s.holder_id and s.holder = 'person'
    where s.org_id = ${scope.orgId} and s.tab = ${tab} and ${isRecordedAt(size, 's')}
  ) e
  where case holder when 'repository' then ${isVisibleSql('holder_id', scope)} else ${personInScopeSql('holder_id', scope)} end`;

async function listSeenTools(
  tx: Tx,
  scope: InventoryScope,
  query: ToolsQuery,
  size: LedgerSize,
): Promise<readonly SeenTool[]> {
  const { tab, users, projects } = query;
  const has = (holder: Holder, ids: readonly string[]) =>
    ids.length === 0 ? sql`` : sql`and bool_or(holder = ${holder} and holder_id = any(${ids}::uuid[]))`;
  const { rows } = await sql<SeenTool>`
    with seen as materialized (${sightingsSql(scope, query, size)}),
    held as (
      select tool_id, holder, holder_id, min(seen_at) as first_seen, max(seen_at) as last_seen from seen
      group by tool_id, holder, holder_id
    ),
    listed as (
      select tool_id, min(first_seen) as first_seen, max(last_seen) as last_seen from held
      where ${seenInPeriodSql(query)} group by tool_id
      having true ${has('person', users)} ${has('repository', projects)}
    ),
    newest as (
      select tool_id, (array_agg(entry_id order by seen_at desc, entry_id))[1] as entry_id,
        (array_agg(version order by seen_at desc, (substring(version from '[0-9]+'))::numeric desc nulls last, version desc)
          filter (where version <> ''))[1] as version
      from seen group by tool_id
    )
    select t.id, t.name, t.vendor, t.icon, t.kind, t.categories, l.first_seen, l.last_seen, n.version, n.entry_id as entry
    from listed l join newest n on n.tool_id = l.tool_id
    join tool t on t.org_id = ${scope.orgId} and t.tab = ${tab} and t.id = l.tool_id`.execute(tx.db);
  return rows;
}

interface Holders {
  size: LedgerSize;
  /** Tools of the page. */
  ids: readonly string[];
}

/** The first holders of each tool, with their number. */
async function firstHoldersOf(
  tx: Tx,
  scope: InventoryScope,
  query: ToolsQuery,
  { holder, limit, size, ids }: Holders & { holder: Holder; limit: number },
): Promise<{ tool: string; total: number; ids: string[] }[]> {
  const { rows } = await sql<{ tool: string; total: number; ids: string[] }>`
    select tool_id as tool, count(*)::int as total, (array_agg(holder_id order by since, holder_id))[1:${sql.lit(limit)}] as ids
    from (
      select tool_id, holder_id, min(seen_at) as since from (${sightingsSql(scope, query, size)}) s
      where tool_id = any(${ids}::text[]) and holder = ${holder} group by tool_id, holder_id
    ) h group by tool_id`.execute(tx.db);
  return rows;
}

async function peopleOf(
  tx: Tx,
  scope: InventoryScope,
  query: ToolsQuery,
  holders: Holders,
): Promise<Map<string, Tool['people']>> {
  const rows = await firstHoldersOf(tx, scope, query, { ...holders, holder: 'person', limit: MAX_SHOWN_TOOL_PEOPLE });
  const displayOf = await loadPersonDisplays(
    tx,
    scope.orgId,
    rows.flatMap(({ ids }) => ids),
  );
  return new Map(rows.map(({ tool, total, ids }) => [tool, { total, items: ids.map(displayOf) }]));
}

async function projectsOf(
  tx: Tx,
  scope: InventoryScope,
  query: ToolsQuery,
  holders: Holders,
): Promise<Map<string, Tool['projects']>> {
  const rows = await firstHoldersOf(tx, scope, query, {
    ...holders,
    holder: 'repository',
    limit: MAX_SHOWN_TOOL_PROJECTS,
  });
  const named = await tx.query<Tool['projects']['items'][number]>({
    name: 'tools.projects-by-id',
    text: 'select id, provider, full_name as "fullName" from repository where org_id = $1 and id = any($2::uuid[]) order by full_name',
    values: [scope.orgId, rows.flatMap(({ ids }) => ids)],
  });
  return new Map(
    rows.map(({ tool, total, ids }) => [tool, { total, items: named.filter(({ id }) => ids.includes(id)) }]),
  );
}
