import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { HostRefused } from '#providers/code-host.ts';
import { queueMailmap } from '../contributors/commands.ts';
import { queueAccess } from '../host-access/commands.ts';
import { queueProtection } from '../protection/commands.ts';
import { enqueueImport } from './commands.ts';
import { recordImportFailure } from './failure.ts';
import { importGaps, queueGaps } from './gap-jobs.ts';
import { ImportStopped } from './import-stopped.ts';
import { importCommits, importFiles, importPullRequests } from './phases.ts';
import {
  hasPendingHistory,
  type ImportJob,
  type ImportProgress,
  type ImportSource,
  importQueueOf,
  readProgress,
  saveProgress,
} from './progress.ts';
import { historyImported } from './topics.ts';

export const importJobs = (services: Services): JobDefinition[] => [
  {
    name: 'repository.import',
    concurrency: 2,
    handle: (data) => importRepository(services, data, 'repository.import'),
  },
  { name: 'repository.files', concurrency: 2, handle: (data) => importRepository(services, data, 'repository.files') },
  { name: 'repository.gaps', handle: (data) => importGaps(services, data) },
];

// After this time the job ends and queues itself again, so that other repositories progress.
const RUN_MS = 5_000;
const HISTORY_WAIT_MS = 2_000;
// An arbitrary seed; the key of the lock is the hash of the repository with it.
const LOCK_SEED = 7_318_206;

/**
 * Continues the import of the history of a repository for a limited time. An advisory lock admits one worker at a time.
 */
async function importRepository(
  services: Services,
  job: ImportJob,
  queue: ReturnType<typeof importQueueOf>,
): Promise<void> {
  const { database } = services;
  const later = await database.withOrg(job.orgId, async (tx) => {
    const [row] = await tx.query<{ mine: boolean }>({
      name: 'imports.lock',
      text: 'select pg_try_advisory_xact_lock(hashtextextended($1, $2)) as mine',
      values: [job.repositoryId, LOCK_SEED],
    });
    // The worker with the lock may have read the state before this job was queued.
    return row?.mine ? runImport(services, job, queue) : new Date(Date.now() + RUN_MS);
  });
  if (!later) return;
  await database.withOrg(job.orgId, async (tx) => {
    const phase = (await readProgress(services, job))?.progress.phase;
    if (phase) await enqueueImport(services, tx, job, { phase, startAfter: later });
  });
}

/** Returns when to continue; undefined if the import is finished. */
async function runImport(
  services: Services,
  job: ImportJob,
  queue: ReturnType<typeof importQueueOf>,
): Promise<Date | undefined> {
  const found = await readProgress(services, job);
  if (!found || found.progress.state === 'done' || found.progress.state === 'failed') return undefined;
  const { source, progress } = found;
  if (progress.waiting_until && progress.waiting_until.getTime() > Date.now()) return progress.waiting_until;
  if (importQueueOf(progress.phase) !== queue) return new Date();
  if (progress.phase === 'files' && (await hasPendingHistory(services, job))) {
    await saveProgress(services, job, { state: 'queued' });
    return new Date(Date.now() + HISTORY_WAIT_MS);
  }
  try {
    return (await runPhases(services, job, source, progress)) ? undefined : new Date();
  } catch (error) {
    if (error instanceof ImportStopped) return new Date();
    return recordImportFailure(services, job, error);
  }
}

/** Returns whether the import is done. If not, its time is over or the next phase belongs to the other queue. */
async function runPhases(
  services: Services,
  job: ImportJob,
  source: ImportSource,
  progress: ImportProgress,
): Promise<boolean> {
  if (source.isRemoved) throw new HostRefused(404, 'The code host no longer provides this repository.');
  const started = performance.now();
  const { stopping } = services.jobs;
  await saveProgress(services, job, {
    state: 'running',
    error: null,
    waiting_until: null,
    ...(progress.started_at === null && { started_at: new Date() }),
  });
  const host = await services.codeHosts.of(job.orgId, source.provider, source.installationId);
  const isOver = () => stopping.aborted || performance.now() - started > RUN_MS;
  const work = { services, job, host, source, ref: source, isOver, stopping };
  if (progress.phase === 'commits' && !(await importCommits(work, progress))) return false;
  if (progress.phase !== 'files') {
    await importPullRequests(work, progress);
    return false;
  }
  if (!(await importFiles(work))) return false;
  await saveProgress(services, job, { state: 'done', finished_at: new Date() });
  await services.database.withOrg(job.orgId, async (tx) => {
    const { orgId, repositoryId } = job;
    await services.topics.publish({ services, tx, orgId }, historyImported, { repositoryId });
    await queueMailmap(services, tx, job.orgId, { repositoryId: job.repositoryId });
    await queueProtection(services, tx, job.orgId, { repositoryId: job.repositoryId });
    await queueAccess(services, tx, job.orgId, { repositoryId: job.repositoryId });
    await queueGaps(services, tx, job);
  });
  return true;
}
