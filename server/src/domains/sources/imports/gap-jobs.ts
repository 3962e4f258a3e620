import type { JobData } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { type CodeHost, HostLimited } from '#providers/code-host.ts';
import { ingestChanges, ingestCommits, ingestPullRequest } from '../ingest/commands.ts';
import { readCommitChanges } from './changes.ts';
import { dueGaps, type ImportGap, importGapFrom, nextGapAttempt, storeGaps } from './gaps.ts';
import { type ImportJob, type ImportSource, readProgress } from './progress.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    /** Retries the items that an import could not read. */
    'repository.gaps': { orgId: string; repositoryId: string };
  }
}

/** Queues the next retry of the missing items of a repository, if there are any. */
export async function queueGaps(services: Services, tx: Tx, job: ImportJob, startAfter?: Date): Promise<void> {
  const at = startAfter ?? (await nextGapAttempt(tx, job));
  if (!at) return;
  const isLater = at.getTime() > Date.now();
  await services.jobs.enqueue(tx, 'repository.gaps', job, {
    key: isLater ? `${job.repositoryId} later` : job.repositoryId,
    ...(isLater && { startAfter: at }),
  });
}

/** Records an item that could not be read, and queues its retry. Rethrows errors that the item did not cause. */
export async function recordGap(
  services: Services,
  job: ImportJob,
  about: Pick<ImportGap, 'kind' | 'item'>,
  error: unknown,
): Promise<void> {
  const gap = importGapFrom(services, job, about, error);
  await services.database.withOrg(job.orgId, async (tx) => {
    await storeGaps(tx, job, [gap], []);
    await queueGaps(services, tx, job);
  });
}

/** Queues a retry of all missing items of a repository now. */
export async function retryGaps(services: Services, tx: Tx, job: ImportJob): Promise<void> {
  await tx.query({
    name: 'imports.retryGaps',
    text: 'update import_gap set next_attempt_at = now() where org_id = $1 and repository_id = $2',
    values: [job.orgId, job.repositoryId],
  });
  await queueGaps(services, tx, job);
}

/** Retries the items that are due. Failing items are retried later. */
export async function importGaps(services: Services, job: JobData['repository.gaps']): Promise<void> {
  const { database, codeHosts, realtime } = services;
  const found = await readProgress(services, job);
  if (!found || found.source.isRemoved) return;
  const { source } = found;
  const host = await codeHosts.maybe(job.orgId, source.provider, source.installationId);
  if (!host) return;
  const due = await database.withOrg(job.orgId, (tx) => dueGaps(tx, job));
  let limitedUntil: Date | undefined;
  for (const about of due) {
    if (services.jobs.stopping.aborted) break;
    try {
      await importGap(services, job, { host, source }, about);
      await database.withOrg(job.orgId, (tx) => storeGaps(tx, job, [], [about]));
    } catch (error) {
      if (error instanceof HostLimited) {
        limitedUntil = error.until;
        break;
      }
      const gap = importGapFrom(services, job, about, error);
      await database.withOrg(job.orgId, (tx) => storeGaps(tx, job, [gap], []));
    }
  }
  await database.withOrg(job.orgId, async (tx) => {
    await queueGaps(services, tx, job, limitedUntil);
    if (due.length > 0)
      tx.afterCommit(() => realtime.notifyOrganization(job.orgId, 'orgRepos', { repositoryId: job.repositoryId }));
  });
}

async function importGap(
  services: Services,
  { orgId, repositoryId }: ImportJob,
  { host, source }: { host: CodeHost; source: ImportSource },
  { kind, item }: Pick<ImportGap, 'kind' | 'item'>,
): Promise<void> {
  if (kind === 'pull_request') {
    const { pullRequest, reviews } = await host.getPullRequest(source, Number(item));
    await ingestPullRequest(services, orgId, { repositoryId, pullRequest, reviews });
  } else if (kind === 'commit') {
    await ingestCommits(services, orgId, repositoryId, {
      commits: [await host.getCommit(source, item)],
      branch: source.branch,
    });
  } else {
    await ingestChanges(services, orgId, repositoryId, [
      { sha: item, changes: await readCommitChanges(host, source, item) },
    ]);
  }
}
