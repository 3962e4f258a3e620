import type { Services } from '#core/services.ts';

export interface ImportProgress {
  state: 'queued' | 'running' | 'rate_limited' | 'done' | 'failed';
  phase: 'commits' | 'pull_requests' | 'files';
  commits_done: number;
  commits_total: number | null;
  pull_requests_done: number;
  pull_requests_total: number | null;
  files_done: number;
  files_total: number | null;
  started_at: Date | null;
  /** Consecutive failures since the last progress. */
  attempts: number;
  /** The earliest time to continue. */
  waiting_until: Date | null;
  /** The next page of the phase, and the pull requests of that page that are already imported. */
  cursor: { page?: string | number; imported?: number[] };
}

export interface ImportJob {
  orgId: string;
  repositoryId: string;
}

/** The repository of an import. */
export interface ImportSource {
  owner: string;
  name: string;
  provider: string;
  branch: string;
  installationId: string;
  /** The code host no longer provides the repository. */
  isRemoved: boolean;
}

/**
 * Reads the progress of an import; undefined if the repository is disabled, has no import, or the organization is
 * archived. Restoring the organization queues the import again.
 */
export const readProgress = (services: Services, { orgId, repositoryId }: ImportJob) =>
  services.database.withOrg(
    orgId,
    async ({ db }): Promise<{ source: ImportSource; progress: ImportProgress } | undefined> => {
      const row = await db
        .selectFrom('repository as r')
        .innerJoin('repository_import as i', (join) =>
          join.onRef('i.org_id', '=', 'r.org_id').onRef('i.repository_id', '=', 'r.id'),
        )
        .innerJoin('organization as o', 'o.id', 'r.org_id')
        .where('r.org_id', '=', orgId)
        .where('r.id', '=', repositoryId)
        .where('r.tracked', '=', true)
        .where('o.archived_at', 'is', null)
        .selectAll('i')
        .select(['r.owner', 'r.name', 'r.provider', 'r.default_branch', 'r.installation_id', 'r.removed_at'])
        .executeTakeFirst();
      if (!row) return undefined;
      const { owner, name, provider, default_branch: branch, installation_id: installationId } = row;
      const source = { owner, name, provider, branch, installationId, isRemoved: row.removed_at !== null };
      return { source, progress: row as unknown as ImportProgress };
    },
  );

/** Changed files have a separate queue, so that no history waits for them. */
export const importQueueOf = (phase: ImportProgress['phase']): 'repository.import' | 'repository.files' =>
  phase === 'files' ? 'repository.files' : 'repository.import';

/** Whether commits or pull requests of another repository are due to be imported. */
export const hasPendingHistory = (services: Services, { orgId, repositoryId }: ImportJob): Promise<boolean> =>
  services.database.withOrg(orgId, async (tx) => {
    const [row] = await tx.query<{ open: boolean }>({
      name: 'imports.historyOpen',
      text: `select exists (
               select from repository_import i join repository r on r.org_id = i.org_id and r.id = i.repository_id
               where i.org_id = $1 and i.repository_id <> $2 and i.phase <> 'files' and i.state in ('queued', 'running')
                 and (i.waiting_until is null or i.waiting_until <= now()) and r.tracked and r.removed_at is null) as open`,
      values: [orgId, repositoryId],
    });
    return row?.open ?? false;
  });

/** Updates the progress of an import and sends a change notice. */
export const saveProgress = (
  services: Services,
  { orgId, repositoryId }: ImportJob,
  change: Partial<Omit<ImportProgress, 'cursor' | 'started_at'>> & {
    cursor?: ImportProgress['cursor'];
    error?: string | null;
    started_at?: Date;
    finished_at?: Date;
  },
) =>
  services.database.withOrg(orgId, async (tx) => {
    const { cursor, ...columns } = change;
    await tx.db
      .updateTable('repository_import')
      .set({ ...columns, ...(cursor && { cursor: JSON.stringify(cursor) }), updated_at: new Date() })
      .where('org_id', '=', orgId)
      .where('repository_id', '=', repositoryId)
      .execute();
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgRepos', { repositoryId }));
  });
