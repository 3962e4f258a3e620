import type { Page } from '@sightline/contract/core/endpoint.ts';
import { maybeIntegrationName, type ScanSource } from '@sightline/contract/core/scan-sources.ts';
import type { Scan } from '@sightline/contract/vulnerabilities/scans.ts';
import type { NotNull } from 'kysely';
import type { KeyActor } from '#core/access-keys.ts';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { fetchPage } from '#database/page.ts';
import type { RepositoryReader } from '../../organization/repository-access/queries.ts';
import { readableRepositoryIds } from '../../sources/repositories/queries.ts';

const selectScans = ({ db }: Tx, orgId: string) =>
  db
    .selectFrom('scan as s')
    .innerJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 's.org_id').onRef('r.id', '=', 's.repository_id'),
    )
    .where('s.org_id', '=', orgId)
    .select([
      's.id',
      's.repository_id',
      's.source',
      's.tool',
      's.tool_name',
      's.tool_version',
      's.category',
      's.ref',
      's.commit_sha',
      's.state',
      's.received',
      's.counts',
      's.complete',
      's.incomplete',
      ({ exists, selectFrom }) =>
        exists(
          selectFrom('missing_classes_allowed as m')
            .whereRef('m.org_id', '=', 's.org_id')
            .whereRef('m.repository_id', '=', 's.repository_id')
            .whereRef('m.tool', '=', 's.tool'),
        ).as('allowed'),
      's.rejections',
      's.rejected',
      's.error',
      's.actor_kind',
      's.actor_id',
      's.received_at',
      's.finished_at',
      'r.full_name',
    ]);

/** Returns one page of the scans of a repository, newest first. */
export async function listRepositoryScans(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  query: { page: number; perPage: number },
): Promise<Page<Scan[]>> {
  const { rows, total } = await fetchPage(
    selectScans(tx, orgId)
      .where('s.repository_id', '=', repositoryId)
      .orderBy('s.received_at', 'desc')
      .orderBy('s.id', 'desc'),
    query,
  );
  return { rows: await scansOf(tx, rows), total };
}

/** Returns one scan. Throws 404 for a repository outside the scope of the reader or access key. */
export async function findScan(tx: Tx, reader: RepositoryReader | KeyActor, id: string): Promise<Scan> {
  const row = await selectScans(tx, reader.orgId).where('s.id', '=', id).executeTakeFirst();
  if (!row || !(await mayRead(tx, reader, row.repository_id))) throw NotFound('Scan');
  const [scan] = await scansOf(tx, [row]);
  if (!scan) throw NotFound('Scan');
  return scan;
}

/** Returns scans by ID, in the given order; omits deleted scans. */
export async function findScans(tx: Tx, orgId: string, ids: readonly string[]): Promise<Scan[]> {
  if (ids.length === 0) return [];
  const scans = await scansOf(tx, await selectScans(tx, orgId).where('s.id', 'in', ids).execute());
  return ids.flatMap((id) => scans.find((scan) => scan.id === id) ?? []);
}

async function mayRead(tx: Tx, reader: RepositoryReader | KeyActor, repositoryId: string): Promise<boolean> {
  if (!('accessKey' in reader)) return (await readableRepositoryIds(tx, reader, [repositoryId])).length > 0;
  return reader.accessKey.repositoryId === null || reader.accessKey.repositoryId === repositoryId;
}

type ScanRow = Awaited<ReturnType<ReturnType<typeof selectScans>['execute']>>[number];

async function scansOf({ db }: Tx, rows: readonly ScanRow[]): Promise<Scan[]> {
  const accountIds = rows.filter(({ actor_kind }) => actor_kind === 'account').map(({ actor_id }) => actor_id);
  const accounts =
    accountIds.length === 0
      ? []
      : await db
          .selectFrom('visible_account')
          .select(['id', 'name'])
          .where('id', 'in', [...new Set(accountIds)])
          .$narrowType<{ id: NotNull; name: NotNull }>()
          .execute();
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  return rows.map((row) => scanOf(row, names));
}

const scanOf = (row: ScanRow, names: ReadonlyMap<string, string>): Scan => ({
  id: row.id,
  repository: { id: row.repository_id, fullName: row.full_name },
  source: row.source as ScanSource,
  tool: { id: row.tool, name: row.tool_name, version: row.tool_version },
  category: row.category,
  ref: row.ref,
  commit: row.commit_sha,
  state: row.state as Scan['state'],
  received: row.received,
  counts: row.counts === null ? null : countsOf(row.counts as Partial<NonNullable<Scan['counts']>>, row.rejections),
  rejected: row.rejected as Scan['rejected'],
  incomplete: incompleteOf(row),
  error: row.error,
  startedBy: starterOf(row, names),
  receivedAt: row.received_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
});

function incompleteOf({ complete, incomplete, allowed }: ScanRow): Scan['incomplete'] {
  const reasons = incomplete as NonNullable<Scan['incomplete']>['reasons'];
  return reasons.length === 0 ? null : { reasons, fixes: complete, allowed: Boolean(allowed) };
}

const countsOf = (
  { new: found = 0, unchanged = 0, fixed = 0, reopened = 0 }: Partial<NonNullable<Scan['counts']>>,
  rejected: number,
) => ({ new: found, unchanged, fixed, reopened, rejected });

function starterOf({ actor_kind: kind, actor_id: id }: ScanRow, names: ReadonlyMap<string, string>): string {
  if (kind === 'account') return names.get(id) ?? 'Former member';
  return kind === 'integration' ? (maybeIntegrationName(id) ?? id) : 'Sightline';
}
