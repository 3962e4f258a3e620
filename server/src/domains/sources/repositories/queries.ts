import type { Page } from '@sightline/contract/core/endpoint.ts';
import { type Provider, providers } from '@sightline/contract/core/providers.ts';
import type {
  RepositoriesQuery,
  RepositoryDetail,
  RepositoryListItem,
} from '@sightline/contract/sources/repositories.ts';
import { type OrderByItemBuilder, type RawBuilder, sql } from 'kysely';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { containsText, fetchPage } from '#database/page.ts';
import { type RepositoryReader, visibleRepositories } from '../../organization/repository-access/queries.ts';
import { listGaps, repositoryImportFrom } from '../imports/queries.ts';
import { repositoryContextId } from './context.ts';
import { repositoryHostOf } from './host.ts';
import {
  type ScannerSummary,
  scannerSummariesOf,
  severityCountsSql,
  unscannedSummary,
  zeroSeverityCountsSql,
} from './scanners.ts';

const sorts = {
  'date-desc': ['last_change', 'desc'],
  'date-asc': ['last_change', 'asc'],
  'name-asc': ['full_name', 'asc'],
  'name-desc': ['full_name', 'desc'],
} as const satisfies Record<
  Exclude<RepositoriesQuery['sort'], BySeverity>,
  readonly ['last_change' | 'full_name', 'asc' | 'desc']
>;
type BySeverity = 'severity-desc' | 'severity-asc';

const openPullRequests = sql<number>`(select count(*) from pull_request p
  where p.org_id = repository.org_id and p.repository_id = repository.id and p.status = 'in-progress')`;

const selectItem = (tx: Tx, reader: RepositoryReader) =>
  visibleRepositories(tx, reader)
    .leftJoin('repository_import as i', (join) =>
      join.onRef('i.org_id', '=', 'repository.org_id').onRef('i.repository_id', '=', 'repository.id'),
    )
    .where('repository.tracked', '=', true);

const columns = [
  'repository.org_id',
  'repository.id',
  'provider',
  'provider_repo_id',
  'owner',
  'name',
  'full_name',
  'default_branch',
  'is_private',
  'tracked',
  'pushed_at',
  'last_change',
  'html_url',
  'i.state',
  'i.phase',
  'i.commits_done',
  'i.commits_total',
  'i.pull_requests_done',
  'i.pull_requests_total',
  'i.files_done',
  'i.files_total',
  'i.error',
  'i.waiting_until',
  'i.started_at',
  'i.finished_at',
] as const;

const missing = sql<number>`(select count(*)::int from import_gap g
  where g.org_id = repository.org_id and g.repository_id = repository.id)`;

type RepositoryRow = Awaited<ReturnType<typeof rowsOf>>[number];
const rowsOf = (tx: Tx, reader: RepositoryReader) =>
  selectItem(tx, reader)
    .select([...columns])
    .select([openPullRequests.as('open_pull_requests'), missing.as('missing')])
    .execute();

/** One page of the enabled repositories that the reader may see. */
export async function listEnabledRepositories(
  tx: Tx,
  reader: RepositoryReader,
  query: RepositoriesQuery,
): Promise<Page<RepositoryListItem[]>> {
  const items = selectItem(tx, reader)
    .$if(query.search !== '', (q) => q.where((eb) => containsText(eb.ref('full_name'), query.search)))
    .select([...columns])
    .select([openPullRequests.as('open_pull_requests'), missing.as('missing')]);
  const found = isBySeverity(query.sort)
    ? await fetchPage(
        items
          .leftJoin(severityCountsSql(reader.orgId).as('w'), 'w.id', 'repository.id')
          .orderBy(sql`coalesce(w.worst, ${zeroSeverityCountsSql})`, query.sort === 'severity-desc' ? 'desc' : 'asc')
          .orderBy('full_name')
          .orderBy('repository.id'),
        query,
      )
    : await fetchPage(items.orderBy(...orderOf(sorts[query.sort])).orderBy('repository.id'), query);
  const scanned = await scannerSummariesOf(
    tx,
    reader.orgId,
    found.rows.map(({ id }) => id),
  );
  return { total: found.total, rows: found.rows.map((row) => itemOf(row, scanned.get(row.id))) };
}

const orderOf = ([column, direction]: (typeof sorts)[keyof typeof sorts]) =>
  [
    column,
    (order: OrderByItemBuilder) => (direction === 'desc' ? order.desc().nullsLast() : order.asc().nullsFirst()),
  ] as const;

const isBySeverity = (sort: RepositoriesQuery['sort']): sort is BySeverity => sort.startsWith('severity-');

export interface RepositoryKey {
  provider: Provider;
  repoPath: string;
}

/** The ID of an enabled repository by its path. Throws 404 for other repositories or without access. */
export async function findEnabledRepository(
  tx: Tx,
  reader: RepositoryReader,
  { provider, repoPath }: RepositoryKey,
): Promise<string> {
  const row = await visibleRepositories(tx, reader)
    .where(sql<boolean>`lower(full_name) = ${repoPath.toLowerCase()}`)
    .where('provider', '=', provider)
    .where('tracked', '=', true)
    .select('id')
    .executeTakeFirst();
  if (!row) throw NotFound('Repository');
  return row.id;
}

/** The organizations with an enabled repository, for `forEachOrganization`. */
export const withEnabledRepositories = {
  organizations: 'select distinct orgs_with_enabled_repositories(p) as id from unnest($1::text[]) as p',
  values: [providers],
};

/** The IDs of the enabled repositories of an organization, or of those of some hosts or one installation. */
export async function enabledRepositoryIds(
  { db }: Tx,
  orgId: string,
  { providers, installationId }: { providers?: readonly Provider[]; installationId?: string } = {},
): Promise<string[]> {
  const rows = await db
    .selectFrom('repository')
    .where('org_id', '=', orgId)
    .where('tracked', '=', true)
    .where('removed_at', 'is', null)
    .$if(providers !== undefined, (query) => query.where('provider', 'in', providers ?? []))
    .$if(installationId !== undefined, (query) => query.where('installation_id', '=', installationId ?? ''))
    .select('id')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The context that opens Explore on a repository. */
export const exploreContextOf = (repositoryId: string) => ({ contextId: repositoryContextId(repositoryId) });

/** The IDs of the enabled repositories that the reader may see, limited to `named` if given. */
export async function readableRepositoryIds(
  tx: Tx,
  reader: RepositoryReader,
  named?: readonly string[],
): Promise<string[]> {
  const rows = await visibleRepositories(tx, reader)
    .where('tracked', '=', true)
    .$if(named !== undefined, (query) => query.where(sql<boolean>`repository.id = any(${named}::uuid[])`))
    .select('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The repositories whose findings an actor may see. */
export interface RepositoryVisibility {
  /** Only these repositories; undefined if `except` applies. */
  only: readonly string[] | undefined;
  /** All but these: the findings of a disabled repository are retained but hidden. */
  except: readonly string[];
}

/** The SQL condition that a column contains a visible repository. */
export function isVisibleSql(column: string, { only, except }: RepositoryVisibility): RawBuilder<boolean> {
  if (only) return sql<boolean>`${sql.ref(column)} = any(${only}::uuid[])`;
  if (except.length > 0) return sql<boolean>`${sql.ref(column)} <> all(${except}::uuid[])`;
  return sql<boolean>`true`;
}

/** The time of the oldest commit if it has parents and the import contains none of them. */
const truncatedAt = sql<Date | null>`(
  select first.committed_at from (
    select c.committed_at, c.parents from commit c where c.org_id = repository.org_id and c.repository_id = repository.id
    order by c.committed_at, c.sha limit 1) first
  where i.phase <> 'commits' and first.parents <> '{}' and not exists (
    select from commit p where p.org_id = repository.org_id and p.repository_id = repository.id and p.sha = any(first.parents)))`;

/** One enabled repository with its counts; 404 for any other. */
export async function findRepository(tx: Tx, reader: RepositoryReader, id: string): Promise<RepositoryDetail> {
  const row = await selectItem(tx, reader)
    .where('repository.id', '=', id)
    .select([...columns])
    .select([openPullRequests.as('open_pull_requests'), missing.as('missing')])
    .select([
      sql<number>`(select count(*) from pull_request p where p.org_id = repository.org_id and p.repository_id = repository.id)`.as(
        'pull_requests',
      ),
      sql<number>`(select coalesce(sum(c.commits), 0)::int from contributor c where c.org_id = repository.org_id and c.repository_id = repository.id)`.as(
        'commits',
      ),
      sql<number>`(select count(*) from contributor c where c.org_id = repository.org_id and c.repository_id = repository.id)`.as(
        'contributors',
      ),
      truncatedAt.as('truncated_at'),
    ])
    .executeTakeFirst();
  if (!row) throw NotFound('Repository');
  return {
    ...itemOf(row, (await scannerSummariesOf(tx, reader.orgId, [id])).get(id)),
    host: await repositoryHostOf(tx, reader.orgId, id),
    missing: await listGaps(tx, reader.orgId, id),
    counts: { pullRequests: row.pull_requests, commits: row.commits, contributors: row.contributors },
    truncatedAt: row.truncated_at?.toISOString() ?? null,
    exploreContext: exploreContextOf(id),
  };
}

function itemOf(row: RepositoryRow, scanned: ScannerSummary = unscannedSummary): RepositoryListItem {
  return {
    id: row.id,
    orgId: row.org_id,
    provider: row.provider as Provider,
    providerRepoId: row.provider_repo_id,
    owner: row.owner,
    name: row.name,
    fullName: row.full_name,
    defaultBranch: row.default_branch,
    isPrivate: row.is_private,
    private: row.is_private,
    tracked: row.tracked,
    pushedAt: row.pushed_at?.toISOString() ?? null,
    url: row.html_url,
    lastChange: row.last_change?.toISOString() ?? null,
    ...scanned,
    openPullRequests: row.open_pull_requests,
    import: row.state === null ? null : repositoryImportFrom(row),
  };
}

/** The times in which a repository was disabled, from the audit log, oldest first. `to` of the last may lie ahead. */
export async function listDisabledTimes(
  tx: Tx,
  orgId: string,
  repositoryId: string,
): Promise<{ from: string; to: string }[]> {
  const rows = await tx.query<{ at: Date; isOn: boolean }>({
    name: 'repositories.disabled-times',
    text: `select at, action = 'repository.enabled' as "isOn" from audit_event
           where org_id = $1 and subject_kind = 'repository' and subject_id = $2
             and action in ('repository.enabled', 'repository.disabled') order by at, id`,
    values: [orgId, repositoryId],
  });
  const times: { from: string; to: string }[] = [];
  for (const { at, isOn } of rows) {
    const last = times.at(-1);
    if (!isOn && last?.to !== END_OF_TIME) times.push({ from: at.toISOString(), to: END_OF_TIME });
    if (isOn && last?.to === END_OF_TIME) last.to = at.toISOString();
  }
  return times;
}

const END_OF_TIME = '9999-12-31T23:59:59.999Z';
