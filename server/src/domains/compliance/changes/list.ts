import type { ChangeItem, ChangesQuery } from '@sightline/contract/compliance/changes.ts';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import type { Provider } from '@sightline/contract/core/providers.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { Invalid } from '#core/errors.ts';
import { entriesById, type LedgerSize, resolveLedgerSize } from '#core/ledger-size.ts';
import { isRecordedAt, type RecordedTables, withRecordedTables } from '#core/recorded-facts.ts';
import type { Tx } from '#database/database.ts';
import { containsText, fetchPage } from '#database/page.ts';
import { visibleRepositories } from '../../organization/repository-access/queries.ts';
import { type ActorDisplay, loadActorDisplay } from './names.ts';
import { type ChangeParts, listFrom } from './parts.ts';

const columns = [
  'c.id',
  'c.version',
  'c.repository_id',
  'c.branch',
  'c.is_default_branch',
  'c.merge_method',
  'c.number',
  'c.push_id',
  'c.merged_at',
  'c.merge_sha',
  'c.entry_id',
  'c.head_sha',
  'c.parts',
  'c.sources',
  'c.persons',
  'c.missing',
  'c.approval',
  'c.has_agent',
  'c.protection_id',
  'r.provider',
  'r.provider_repo_id',
  'r.full_name',
  'r.html_url',
  'p.title',
  'p.url',
] as const;

/**
 * Change records in repositories that are visible to the reader; with the scope `own`, only those that name the reader.
 * Excludes direct pushes that belong to a pull request. `db` may contain other records than the current ones.
 */
export const visibleRecords = (tx: Tx, actor: Actor, db = tx.db) =>
  db
    .selectFrom('change_record as c')
    .where('c.org_id', '=', actor.orgId)
    .where('c.repository_id', 'in', visibleRepositories(tx, actor).select('repository.id'))
    .where((eb) => eb.or([eb('c.push_id', 'is', null), eb('c.number', 'is', null)]))
    .$if(actor.reach('read:events') !== 'all', (query) =>
      query.where(sql<boolean>`c.persons && ${[actor.personId, ...actor.formerIds]}::uuid[]`),
    );

/** The same with their repository and pull request. */
export const visibleChanges = (tx: Tx, actor: Actor, db = tx.db) =>
  visibleRecords(tx, actor, db)
    .innerJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 'c.org_id').onRef('r.id', '=', 'c.repository_id'),
    )
    .leftJoin('pull_request as p', (join) =>
      join
        .onRef('p.org_id', '=', 'c.org_id')
        .onRef('p.repository_id', '=', 'c.repository_id')
        .onRef('p.number', '=', 'c.number'),
    )
    .select([...columns]);

export type ChangeRecord = Awaited<ReturnType<ReturnType<typeof visibleChanges>['execute']>>[number];

// Most changes have one version: the partial index contains only the later ones, which the database compares at once to
// count, and by key for a page.
const isLatestVersion = sql<boolean>`not exists (
  select from change_record n where n.org_id = c.org_id and n.id = c.id and n.version > 1 and n.version > c.version
)`;
// By key for each row: the comparison above would read all records for the few of one person, and at a ledger size.
const isLatestVersionByKey = sql<boolean>`c.version = (
  select max(n.version) from change_record n where n.org_id = c.org_id and n.id = c.id
)`;

/** Lists one page of branch changes, now or at a ledger size. */
export async function listBranchChanges(tx: Tx, actor: Actor, query: ChangesQuery): Promise<Page<ChangeItem[]>> {
  const { orgId } = actor;
  const { repository, mergeMethod, approval, author, only, from, to, search } = query;
  const size = query.ledgerSize === undefined ? undefined : await resolveLedgerSize(tx, orgId, query.ledgerSize);
  if (size) requireCommitSearch(search);
  const direction = query.sort === 'date-desc' ? 'desc' : 'asc';
  const found = await fetchPage(
    visibleChanges(tx, actor, size ? withRecordedTables(tx.db, recordedChanges(orgId, size)) : tx.db)
      .where(size || actor.reach('read:events') !== 'all' ? isLatestVersionByKey : isLatestVersion)
      .$if(repository !== undefined, (q) => q.where('c.repository_id', '=', repository ?? ''))
      .$if(mergeMethod.length > 0, (q) => q.where('c.merge_method', 'in', mergeMethod))
      .$if(approval.length > 0, (q) => q.where('c.approval', 'in', approval))
      .$if(author !== undefined, (q) =>
        q
          .where(sql<boolean>`c.persons && array[${author}]::uuid[]`)
          .where(sql<boolean>`${author}::uuid = any(c.authors)`),
      )
      .$if(only.includes('agent'), (q) => q.where('c.has_agent', '=', true))
      .$if(only.includes('missing'), (q) => q.where(sql<boolean>`cardinality(c.missing) > 0`))
      .$if(from !== undefined, (q) => q.where('c.merged_at', '>=', new Date(from ?? 0)))
      .$if(to !== undefined, (q) => q.where('c.merged_at', '<', new Date(to ?? 0)))
      .$if(search !== '', (q) =>
        q.where((eb) =>
          eb.or([
            ...(size ? [] : [containsText(sql.ref('p.title'), search)]),
            eb('c.merge_sha', 'like', `${hexOf(search)}%`),
          ]),
        ),
      )
      .orderBy('c.merged_at', direction)
      .orderBy('c.id', direction),
    query,
  );
  const show = await loadActorDisplay(
    tx,
    orgId,
    found.rows.flatMap(({ persons }) => persons),
  );
  const entries = size && (await entriesById(tx, orgId, size, found.rows.map(entryIdOf)));
  return {
    total: found.total,
    rows: found.rows.map((row) => ({
      ...changeItem(row, show),
      ...(entries && { recorded: { entry: entries.get(entryIdOf(row)) ?? null, missing: [] } }),
    })),
  };
}

const entryIdOf = ({ entry_id }: ChangeRecord) => entry_id;

const recordedChanges = (orgId: string, size: LedgerSize): RecordedTables => ({
  change_record: sql<
    Record<string, unknown>
  >`select n.* from change_record n where n.org_id = ${orgId} and ${isRecordedAt(size, 'n')}`,
});

const isCommitSearch = (search: string): boolean => /^[0-9a-f]{4,64}$/i.test(search);

// Other text matches no commit SHA.
const hexOf = (search: string): string => (isCommitSearch(search) ? search.toLowerCase() : '-');

function requireCommitSearch(search: string): void {
  if (search === '' || isCommitSearch(search)) return;
  throw Invalid('search', 'must be the start of a commit SHA with ledgerSize, because the ledger records no titles');
}

/** Formats a record as a list item. */
export function changeItem(row: ChangeRecord, show: ActorDisplay): ChangeItem {
  const parts = row.parts as unknown as ChangeParts;
  const { mergedBy } = parts;
  const isMerge = row.number !== null;
  return {
    id: row.id,
    version: row.version,
    repository: { id: row.repository_id, provider: row.provider as Provider, fullName: row.full_name },
    branch: row.branch,
    isDefaultBranch: row.is_default_branch,
    mergeMethod: row.merge_method as ChangeItem['mergeMethod'],
    number: row.number,
    title: row.title,
    url: isMerge ? row.url : row.merge_sha && `${row.html_url}/commit/${row.merge_sha}`,
    mergedAt: row.merged_at.toISOString(),
    mergeSha: row.merge_sha,
    headSha: row.head_sha,
    authors: listFrom(parts.authors).map(show),
    mergedBy: mergedBy.state === 'missing' ? null : show(mergedBy.value),
    approval: row.approval as ChangeItem['approval'],
    hasAgent: row.has_agent,
    missing: row.missing as ChangeItem['missing'],
  };
}
