import type { RepositoryImport } from '@sightline/contract/repositories.ts';

/** The columns of repository_import, as a left join may give them. */
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
}

export const importOf = (row: ImportRow): RepositoryImport => ({
  state: row.state as RepositoryImport['state'],
  phase: row.phase as RepositoryImport['phase'],
  commits: { done: row.commits_done ?? 0, total: row.commits_total },
  pullRequests: { done: row.pull_requests_done ?? 0, total: row.pull_requests_total },
  files: { done: row.files_done ?? 0, total: row.files_total },
  error: row.error,
  waitingUntil: row.waiting_until?.toISOString() ?? null,
  startedAt: row.started_at?.toISOString() ?? null,
  finishedAt: row.finished_at?.toISOString() ?? null,
});
