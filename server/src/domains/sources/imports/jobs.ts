import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { HostRefused } from '#providers/code-host.ts';
import { queueMailmap } from '../contributors/commands.ts';
import { queueProtection } from '../protection/commands.ts';
import { enqueueImport } from './commands.ts';
import { saveFailure } from './failure.ts';
import { importGaps, queueGaps } from './gap-jobs.ts';
import { importCommits, importFiles, importPullRequests } from './phases.ts';
import {
  type ImportSource,
  isHistoryOpen,
  type Job,
  type Progress,
  queueOf,
  readProgress,
  saveProgress,
} from './progress.ts';
import { Stopped } from './stopped.ts';
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

// Then another job goes on, so that other repositories have their turn.
const turn = 5_000;
const pauseBehindHistories = 2_000;
// Any number; the repository is hashed with it into the key of the lock.
const lock = 7_318_206;

/**
 * Imports the history of a repository for a turn, from where it stopped. One worker at a time does it, until its transaction
 * ends.
 */
async function importRepository(services: Services, job: Job, queue: ReturnType<typeof queueOf>): Promise<void> {
  const { database } = services;
  const later = await database.withOrg(job.orgId, async (tx) => {
    const [row] = await tx.query<{ mine: boolean }>({
      name: 'imports.lock',
      text: 'select pg_try_advisory_xact_lock(hashtextextended($1, $2)) as mine',
      values: [job.repositoryId, lock],
    });
    // The worker that has it may have read the state before this job was queued.
    return row?.mine ? takeTurn(services, job, queue) : new Date(Date.now() + turn);
  });
  if (!later) return;
  await database.withOrg(job.orgId, async (tx) => {
    const phase = (await readProgress(services, job))?.progress.phase;
    if (phase) await enqueueImport(services, tx, job, { phase, startAfter: later });
  });
}

/** Answers when to go on; undefined once nothing is left to do. */
async function takeTurn(services: Services, job: Job, queue: ReturnType<typeof queueOf>): Promise<Date | undefined> {
  const found = await readProgress(services, job);
  if (!found || found.progress.state === 'done' || found.progress.state === 'failed') return undefined;
  const { source, progress } = found;
  if (progress.waiting_until && progress.waiting_until.getTime() > Date.now()) return progress.waiting_until;
  if (queueOf(progress.phase) !== queue) return new Date();
  if (progress.phase === 'files' && (await isHistoryOpen(services, job))) {
    await saveProgress(services, job, { state: 'queued' });
    return new Date(Date.now() + pauseBehindHistories);
  }
  try {
    return (await runPhases(services, job, source, progress)) ? undefined : new Date();
  } catch (error) {
    if (error instanceof Stopped) return new Date();
    return saveFailure(services, job, error);
  }
}

/** Answers whether the import is done: else its turn is over, or what is left belongs into the other queue. */
async function runPhases(services: Services, job: Job, source: ImportSource, progress: Progress): Promise<boolean> {
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
  const isOver = () => stopping.aborted || performance.now() - started > turn;
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
    await queueGaps(services, tx, job);
  });
  return true;
}
