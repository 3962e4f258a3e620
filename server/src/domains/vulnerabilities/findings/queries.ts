import type { Page } from '@sightline/contract/core/endpoint.ts';
import { type ContextFilter, equalsFilter } from '@sightline/contract/timeline/contexts.ts';
import type { Finding, FindingStats, FindingsQuery } from '@sightline/contract/vulnerabilities/findings.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { isVisibleSql } from '../../sources/repositories/queries.ts';
import { countLaneCells, type LaneCells, matchingRowsSql, residualSql } from './cells.ts';
import { isSelective } from './conditions.ts';
import { filterLaneCells } from './cursor-pagination.ts';
import { countBySeverity, laneCellPredicate, sumLaneCells } from './lanes.ts';
import type { FindingList, FindingSortFields } from './list.ts';
import { countBeforeFinding, findNeighbors, listFindingIds } from './pages.ts';
import { loadFindings } from './rows.ts';
import { openFindingsTrend, sumLastScanChanges } from './scan-trend.ts';
import {
  type FindingScope,
  findingScopeOf,
  type RequestedFilter,
  type ResolvedFilter,
  resolveFilter,
} from './scope.ts';
import { countShared } from './shared-counts.ts';

type SortedFilter = ResolvedFilter & Pick<FindingsQuery, 'sort'>;
type FindingsRequest = SortedFilter & Pick<FindingsQuery, 'page' | 'perPage'>;

/** Returns one page of the matching findings, with their total number. */
export async function listFindings(
  services: Pick<Services, 'remediationLimits'>,
  tx: Tx,
  actor: Actor,
  query: FindingsRequest,
): Promise<Page<Finding[]>> {
  const { orgId } = actor;
  const { page, perPage } = query;
  const list = await findingListOf(tx, actor, query);
  const ids = await listFindingIds(tx, list, (page - 1) * perPage, perPage);
  const rows = await loadFindings(services, tx, { orgId, accountId: actor.accountId, ids });
  return { total: sumLaneCells(list.cells.cells), rows };
}

/** Returns the number of matching findings, and the IDs of at most `limit` of them, most severe first. */
export async function listMatchingFindingIds(
  services: Pick<Services, 'remediationLimits'>,
  tx: Tx,
  actor: Actor,
  { filter, limit }: { filter: RequestedFilter; limit: number },
): Promise<{ ids: string[]; total: number }> {
  const resolved = await resolveFilter(services, tx, actor, filter);
  const list = await findingListOf(tx, actor, { ...resolved, sort: 'severity-desc' });
  return { total: sumLaneCells(list.cells.cells), ids: await listFindingIds(tx, list, 0, limit) };
}

/** Returns the list that matches the filters, with its order. */
export async function findingListOf(tx: Tx, actor: Actor, query: SortedFilter): Promise<FindingList> {
  const scope = await findingScopeOf(tx, actor, query);
  return { scope, cells: filterLaneCells(await countLaneCells(tx, scope), query), sort: query.sort };
}

/** Returns statistics of the matching findings: counts, changes of the last scans, and the trend. */
export async function getFindingStatistics(tx: Tx, actor: Actor, filter: ResolvedFilter): Promise<FindingStats> {
  const scope = await findingScopeOf(tx, actor, filter);
  const cells = await countLaneCells(tx, scope);
  const matching = filterLaneCells(cells, filter);
  const open = cells.cells.filter(laneCellPredicate({ ...filter, status: ['open'] }));
  return {
    total: sumLaneCells(matching.cells),
    repositories: await countRepositories(tx, scope, matching),
    countBySeverity: countBySeverity(filterLaneCells(cells, filter, 'severity').cells),
    ...(await sumLastScanChanges(tx, scope, filter.dataSource)),
    trend: await openFindingsTrend(tx, scope, filter, sumLaneCells(open)),
  };
}

/** Counts the repositories with findings in the given cells. */
async function countRepositories(tx: Tx, scope: FindingScope, { cells }: LaneCells): Promise<number> {
  if (cells.length === 0) return 0;
  const statuses = [...new Set(cells.map(({ status }) => status))];
  const lanes = [...new Set(cells.map(({ lane }) => lane.key))];
  const { orgId, titles } = scope;
  if (scope.conditions && !titles && !isSelective(scope.conditions)) {
    // Most repositories have a match, which is found early.
    const rows = await countShared(
      tx,
      orgId,
      sql<{ count: number }>`
        select count(*)::int as count from repository r cross join lateral (
          select from finding f where f.org_id = ${orgId} and f.repository_id = r.id and f.status = any(${statuses}::text[])
            and f.lane = any(${lanes}::text[]) ${residualSql(scope, 'repository')} limit 1) f
        where r.org_id = ${orgId} and ${isVisibleSql('r.id', scope)}`,
    );
    return rows[0]?.count ?? 0;
  }
  if (scope.conditions) {
    const { table, condition } = matchingRowsSql(scope);
    const rows = await countShared(
      tx,
      orgId,
      sql<{ count: number }>`
        select count(distinct f.repository_id)::int as count from ${table}
        where ${condition} and f.status = any(${statuses}::text[]) and f.lane = any(${lanes}::text[])`,
    );
    return rows[0]?.count ?? 0;
  }
  const table = titles ? sql`finding_count` : sql`finding_repository_count`;
  const matchingRows = sql`c.org_id = ${orgId} and c.status = any(${statuses}::text[]) and c.lane = any(${lanes}::text[])
    and c.count > 0 ${titles ? sql`and c.title_id = any(${titles}::uuid[])` : sql``}`;
  // Few titles have few rows. With many titles, a row for each repository is found early.
  const hasFewTitles = titles !== undefined && titles.length <= 50;
  const statement = hasFewTitles
    ? sql<{ count: number }>`select count(distinct c.repository_id)::int as count from finding_count c
        where ${matchingRows} and ${isVisibleSql('c.repository_id', scope)}`
    : sql<{ count: number }>`select count(*)::int as count
        from repository r cross join lateral (select from ${table} c where c.repository_id = r.id and ${matchingRows} limit 1) c
        where r.org_id = ${orgId} and r.tracked and ${isVisibleSql('r.id', scope)}`;
  const { rows } = await statement.execute(tx.db);
  return rows[0]?.count ?? 0;
}

/**
 * Returns the fields of a finding that determine its position in lists. Throws 404 for a finding outside the actor's
 * scope.
 */
export async function requireVisibleFinding(
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<FindingSortFields & { repositoryId: string; status: string; lane: string }> {
  const { orgId } = actor;
  const { only, except } = await findingScopeOf(tx, actor, {
    repository: [],
    search: '',
    rule: [],
    conditions: undefined,
  });
  const { rows } = await sql<FindingSortFields & { repositoryId: string; status: string; lane: string }>`
    select f.id, f.severity, t.title, f.title_id as "titleId", f.discovered_at::text as at,
      f.repository_id as "repositoryId", f.status, f.lane
    from finding f join finding_title t on t.org_id = f.org_id and t.id = f.title_id
    where f.org_id = ${orgId} and f.id = ${id}::uuid`.execute(tx.db);
  const [row] = rows;
  const isSeen = row && (only?.includes(row.repositoryId) ?? !except.includes(row.repositoryId));
  if (!isSeen) throw NotFound('Vulnerability');
  return row;
}

/**
 * Returns the filters of a link from a finding to Explore: its repository, and its file if it has one. Throws 404 for a
 * finding outside the actor's scope.
 */
export async function findingContext(tx: Tx, actor: Actor, id: string): Promise<ContextFilter[]> {
  if (actor.reach('read:vulnerabilities') === undefined) throw NotFound('Vulnerability');
  await requireVisibleFinding(tx, actor, id);
  const { repository, path } = await tx.db
    .selectFrom('finding as f')
    .innerJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 'f.org_id').onRef('r.id', '=', 'f.repository_id'),
    )
    .where('f.org_id', '=', actor.orgId)
    .where('f.id', '=', id)
    .select(['r.full_name as repository', 'f.path'])
    .executeTakeFirstOrThrow();
  const repositoryFilter = equalsFilter('repository', 'fullName', repository);
  return path === null ? [repositoryFilter] : [repositoryFilter, equalsFilter('file', 'path', path)];
}

/**
 * Returns the previous and next finding in a list. For a finding outside the list, returns the neighbors of its
 * would-be position.
 */
export async function findFindingNeighbors(
  tx: Tx,
  actor: Actor,
  id: string,
  query: SortedFilter,
): Promise<{ previous: string | null; next: string | null; position: number | null; total: number }> {
  const finding = await requireVisibleFinding(tx, actor, id);
  const list = await findingListOf(tx, actor, query);
  const rank = await countBeforeFinding(tx, list, finding);
  const { previous, next, isInList } = await findNeighbors(tx, list, finding, rank);
  return { previous, next, position: isInList ? rank + 1 : null, total: sumLaneCells(list.cells.cells) };
}
