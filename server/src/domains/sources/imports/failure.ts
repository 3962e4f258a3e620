import { isArchived } from '#core/archived.ts';
import { failureReason } from '#core/failure-reason.ts';
import type { Services } from '#core/services.ts';
import { HostLimited, HostRefused } from '#providers/code-host.ts';
import { type ImportJob, readProgress, saveProgress } from './progress.ts';

const second = 1_000;
/** The pauses in milliseconds after consecutive failures. After one more failure the import has failed. */
const pausesMs = [5 * second, 30 * second, 120 * second, 600 * second];

/** Stores why an import stopped. Returns when to continue; undefined if it failed and needs a manual retry. */
export async function recordImportFailure(
  services: Services,
  job: ImportJob,
  error: unknown,
): Promise<Date | undefined> {
  // The organization was archived in the meantime. Restoring it queues the import again.
  if (await services.database.withOrg(job.orgId, (tx) => isArchived(tx, job.orgId))) {
    await saveProgress(services, job, { state: 'queued' });
    return undefined;
  }
  if (error instanceof HostLimited) {
    await saveProgress(services, job, { state: 'rate_limited', waiting_until: error.until });
    return error.until;
  }
  const reason = failureReason(services, 'the import', job, error);
  const attempts = ((await readProgress(services, job))?.progress.attempts ?? 0) + 1;
  const pause = error instanceof HostRefused ? undefined : pausesMs[attempts - 1];
  if (pause === undefined) {
    // Not a page that the host refuses: a retry starts at the first page of the phase.
    const failed = { attempts: 0, cursor: {}, finished_at: new Date() };
    await saveProgress(services, job, { state: 'failed', error: reason, ...failed });
    return undefined;
  }
  const until = new Date(Date.now() + pause);
  await saveProgress(services, job, { state: 'queued', error: reason, attempts, waiting_until: until });
  return until;
}
