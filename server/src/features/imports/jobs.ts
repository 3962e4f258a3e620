import { isArchived } from '#core/archived.ts';
import { newId } from '#core/ids.ts';
import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { HostLimited, HostRefused } from '#providers/code-host.ts';
import { hostFailureReason } from '#providers/host-failure.ts';
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
    handle: (data) => importRepository(services, data),
  },
];

const second = 1_000;
/** How long an import waits after each failure in a row; after one more it has failed. */
const pauses = [5 * second, 30 * second, 120 * second, 600 * second];
// Any number; the repository is hashed with it into the key of the lock.
const lock = 7_318_206;

/** Imports the history of a repository, from where it stopped. One worker at a time does it, until its transaction ends. */
async function importRepository(services: Services, job: Job): Promise<void> {
  const { database } = services;
  const later = await database.withOrg(job.orgId, async (tx) => {
    const [row] = await tx.query<{ mine: boolean }>({
      name: 'imports.lock',
      text: 'select pg_try_advisory_xact_lock(hashtextextended($1, $2)) as mine',
      values: [job.repositoryId, lock],
    });
    // The worker that has it may have read the state before this job was queued.
    return row?.mine ? runPhases(services, job) : new Date(Date.now() + 5 * second);
  });
  if (later) await database.withOrg(job.orgId, (tx) => enqueueImport(services, tx, job.orgId, job.repositoryId, later));
}

/** Answers when to go on; undefined once nothing is left to do. */
async function runPhases(services: Services, job: Job): Promise<Date | undefined> {
  const found = await readProgress(services, job);
  if (!found || found.progress.state === 'done' || found.progress.state === 'failed') return undefined;
  const { source, progress } = found;
  if (progress.waiting_until && progress.waiting_until.getTime() > Date.now()) return progress.waiting_until;
  try {
    if (source.isRemoved) throw new HostRefused(404, 'The code host no longer offers this repository.');
    await saveProgress(services, job, {
      state: 'running',
      error: null,
      waiting_until: null,
      ...(progress.state === 'queued' && { started_at: new Date() }),
    });
    const host = await services.codeHosts.of(job.orgId, source.provider, source.installationId);
    const work = { services, job, host, source, ref: source };
    if (progress.phase === 'commits') await importCommits(work, progress);
    if (progress.phase !== 'files') await importPullRequests(work, progress);
    await importFiles(work);
    await saveProgress(services, job, { state: 'done', attempts: 0, finished_at: new Date() });
    await services.database.withOrg(job.orgId, async (tx) => {
      await seekOriginsAgain(services, tx, job.orgId, job.repositoryId);
      await queueToolScan(services, tx, job.orgId, job.repositoryId);
      await refetchPushes(services, tx, job.orgId, job.repositoryId);
      await queueProtection(services, tx, job.orgId, job.repositoryId);
    });
    return undefined;
  } catch (error) {
    return saveFailure(services, job, error);
  }
}

/** Answers when to try again; undefined where the import has failed, which Retry ends. */
async function saveFailure(services: Services, job: Job, error: unknown): Promise<Date | undefined> {
  // Archived meanwhile: restoring the organization queues it again.
  if (await services.database.withOrg(job.orgId, (tx) => isArchived(tx, job.orgId))) {
    await saveProgress(services, job, { state: 'queued' });
    return undefined;
  }
  if (error instanceof HostLimited) {
    await saveProgress(services, job, { state: 'waiting', waiting_until: error.until });
    return error.until;
  }
  const reason = reasonOf(services, job, error);
  const attempts = ((await readProgress(services, job))?.progress.attempts ?? 0) + 1;
  const pause = error instanceof HostRefused ? undefined : pauses[attempts - 1];
  if (pause === undefined) {
    // A page that the host refuses is not asked for again: Retry begins at the first of the phase.
    await saveProgress(services, job, {
      state: 'failed',
      error: reason,
      attempts: 0,
      cursor: {},
      finished_at: new Date(),
    });
    return undefined;
  }
  const until = new Date(Date.now() + pause);
  await saveProgress(services, job, { state: 'queued', error: reason, attempts, waiting_until: until });
  return until;
}

function reasonOf({ log }: Services, job: Job, error: unknown): string {
  const reason = hostFailureReason(error);
  if (reason !== undefined) return reason;
  const reference = newId();
  log.error(
    { ...job, reference, error: error instanceof Error ? (error.stack ?? error.message) : error },
    'an import failed',
  );
  return `An internal error stopped the import. Reference: ${reference}`;
}
