import { createHash } from 'node:crypto';
import { isArchived } from '#core/archived.ts';
import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { HostLimited, HostRefused } from '#providers/code-host.ts';
import { refetchPushes } from '../changes/commands.ts';
import { seekOriginsAgain } from '../origins/commands.ts';
import { queueProtection } from '../protection/commands.ts';
import { queueToolScan } from '../tools/commands.ts';
import { enqueueImport } from './commands.ts';
import { importCommits, importFiles, importPullRequests } from './phases.ts';
import { type Job, readProgress, saveProgress } from './progress.ts';

export const importJobs = (services: Services): JobDefinition[] => [
  {
    name: 'repository.import',
    concurrency: 2,
    expireMinutes: 120,
    retries: 8,
    handle: (data) => importRepository(services, data),
  },
];

/**
 * Reads the history of a repository in, phase by phase, from where it stopped. The lock keeps a second worker out and
 * dies with its process, so that after a crash the next one goes on at once.
 */
async function importRepository(services: Services, job: Job): Promise<void> {
  const client = await services.database.pool.connect();
  const lock = createHash('sha256').update(job.repositoryId).digest().readBigInt64BE(0).toString();
  try {
    const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [lock]);
    if (!rows[0]?.got) return;
    await runPhases(services, job);
    await client.query('select pg_advisory_unlock($1)', [lock]);
  } finally {
    client.release();
  }
}

async function runPhases(services: Services, job: Job): Promise<void> {
  const standing = await readProgress(services, job);
  if (!standing || standing.progress.state === 'done') return;
  const { source, progress } = standing;
  await saveProgress(services, job, {
    state: 'running',
    error: null,
    waiting_until: null,
    ...(progress.state === 'queued' && { started_at: new Date() }),
  });
  try {
    const host = await services.codeHosts.of(job.orgId, source.provider, source.installationId);
    const work = { services, job, host, source, ref: source };
    if (progress.phase === 'commits') await importCommits(work, progress);
    if (progress.phase !== 'files') await importPullRequests(work, progress);
    await importFiles(work);
    await saveProgress(services, job, { state: 'done', finished_at: new Date() });
    await services.database.withOrg(job.orgId, async (tx) => {
      await seekOriginsAgain(services, tx, job.orgId, job.repositoryId);
      await queueToolScan(services, tx, job.orgId, job.repositoryId);
      await refetchPushes(services, tx, job.orgId, job.repositoryId);
      await queueProtection(services, tx, job.orgId, job.repositoryId);
    });
  } catch (error) {
    await setBack(services, job, error);
  }
}

async function setBack(services: Services, job: Job, error: unknown): Promise<void> {
  // Archived under way: it goes on from here once the organisation is restored.
  if (await services.database.withOrg(job.orgId, (tx) => isArchived(tx, job.orgId))) {
    return saveProgress(services, job, { state: 'queued' });
  }
  if (error instanceof HostLimited) {
    await saveProgress(services, job, { state: 'waiting', waiting_until: error.until });
    await services.database.withOrg(job.orgId, (tx) =>
      enqueueImport(services, tx, job.orgId, job.repositoryId, error.until),
    );
    return;
  }
  const message = error instanceof Error ? error.message : String(error);
  // Another try will not change a refusal; anything else may pass, and the queue tries again.
  await saveProgress(services, job, { state: 'failed', error: message, finished_at: new Date() });
  if (error instanceof HostRefused) return;
  await saveProgress(services, job, { state: 'waiting', error: message });
  throw error;
}
