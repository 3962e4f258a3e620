import type { ImportGap, RepositoryImport } from '@sightline/contract/sources/repositories.ts';
import type { Tx } from '#database/database.ts';

/** The columns of repository_import from a left join. */
export interface ImportRow {
  state: string | null;
  phase: string | null;
  commits_done: number | null;
  commits_total: number | null;
  pull_requests_done: number | null;
  pull_requests_total: number | null;
  files_done: number | null;
  files_total: number | null;
  error: string | null;
  waiting_until: Date | null;
  started_at: Date | null;
  finished_at: Date | null;
  /** The number of missing items. */
  missing: number;
}

export const repositoryImportFrom = (row: ImportRow): RepositoryImport => ({
  state: row.state as RepositoryImport['state'],
  phase: row.phase as RepositoryImport['phase'],
  commits: { done: row.commits_done ?? 0, total: row.commits_total },
  pullRequests: { done: row.pull_requests_done ?? 0, total: row.pull_requests_total },
  files: { done: row.files_done ?? 0, total: row.files_total },
  error: row.error,
  missing: row.missing,
  waitingUntil: row.waiting_until?.toISOString() ?? null,
  startedAt: row.started_at?.toISOString() ?? null,
  finishedAt: row.finished_at?.toISOString() ?? null,
});

const MAX_LISTED_GAPS = 50;

/** The items of a repository that could not be imported, pull requests first. */
export async function listGaps(tx: Tx, orgId: string, repositoryId: string): Promise<ImportGap[]> {
  const rows = await tx.query<Omit<ImportGap, 'nextAttemptAt'> & { at: Date | null }>({
    name: 'imports.listGaps',
    text: `select kind, item, reason, next_attempt_at as at from import_gap where org_id = $1 and repository_id = $2
           order by kind = 'pull_request' desc, kind, item limit ${MAX_LISTED_GAPS}`,
    values: [orgId, repositoryId],
  });
  return rows.map(({ at, ...gap }) => ({ ...gap, nextAttemptAt: at?.toISOString() ?? null }));
}

/** The number of items of a repository that could not be imported. */
export async function countGaps(tx: Tx, orgId: string, repositoryId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>({
    name: 'imports.countGaps',
    text: 'select count(*)::int as count from import_gap where org_id = $1 and repository_id = $2',
    values: [orgId, repositoryId],
  });
  return row?.count ?? 0;
}
