import type { FailureKind, QueuedJob } from '@sightline/contract/platform/operator.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict, NotFound } from '#core/errors.ts';
import { failureRetryRequested } from '#core/failed-work.ts';
import { recordOperatorEntry } from '#core/operator-log.ts';
import { cancelJob, type JobKey, makeJobDue, maybeJob, type QueuedJobRow } from '#core/queued-jobs.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { describeJobs } from './queries.ts';

/** Who changes a job: the ID of the account of an operator, or the user name at the command line. */
export interface JobOperator {
  operator: string;
  requestId: string;
}

/** Runs a failed or retrying job now. Throws 404 for an unknown or succeeded job, 409 for any other state. */
export const retryJob = (services: Services, operator: JobOperator, key: JobKey): Promise<QueuedJob> =>
  changeJob(services, operator, key, async (tx, { state }) => {
    if (state !== 'failed' && state !== 'retrying') throw Conflict('Only a failed job can be retried.');
    await makeJobDue(tx, key);
    return 'job.retried';
  });

/**
 * Cancels a job that has not started. Throws 404 for an unknown or succeeded job, and 409 if it has started or no
 * schedule queues its work again.
 */
export const cancelWaitingJob = (services: Services, operator: JobOperator, key: JobKey): Promise<QueuedJob> =>
  changeJob(services, operator, key, async (tx, { state }) => {
    if (state !== 'waiting' && state !== 'retrying') throw Conflict('Only a job that is not running can be canceled.');
    if (!services.jobs.isCancelable(key.queue)) {
      throw Conflict('Jobs of this queue cannot be canceled: no schedule would queue their work again.');
    }
    await cancelJob(tx, key);
    return 'job.canceled';
  });

/**
 * Changes a job, and records the change in the audit log of its organization, or in the operator log for a job of the
 * whole installation.
 */
async function changeJob(
  services: Services,
  { operator, requestId }: JobOperator,
  key: JobKey,
  change: (tx: Tx, job: QueuedJobRow) => Promise<'job.retried' | 'job.canceled'>,
): Promise<QueuedJob> {
  const { database, people } = services;
  const orgId = await database.global(async (tx) => await organizationOfJob(tx, key));
  const work = async (tx: Tx): Promise<QueuedJob> => {
    const job = await findJob(tx, key);
    const action = await change(tx, job);
    const subject = { kind: 'job', id: key.jobId } as const;
    const changed = await findJob(tx, key);
    const data = { queue: key.queue, before: { state: job.state }, after: { state: changed.state } };
    if (orgId === null) await recordOperatorEntry(tx, operator, { action, subject, data });
    else
      await recordAuditEntry(tx, { people, orgId, actor: { operator, requestId }, entry: { action, subject, data } });
    const [described] = await describeJobs(tx, services.jobs.isCancelable, [changed]);
    if (!described) throw NotFound('Job');
    return described;
  };
  return orgId === null ? database.global(work) : database.withOrg(orgId, work);
}

/**
 * Retries a failed import or delivery now, and records it in the audit log of its organization. Throws 404 if nothing
 * failed under this ID, and 409 if it cannot be retried.
 */
export async function retryFailure(
  services: Services,
  { operator, requestId }: JobOperator,
  { organizationId: orgId, kind, failureId: id }: { organizationId: string; kind: FailureKind; failureId: string },
): Promise<null> {
  await services.database.withOrg(orgId, async (tx) => {
    await services.topics.publish({ services, tx, orgId }, failureRetryRequested, { kind, id });
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor: { operator, requestId },
      entry: { action: 'failure.retry_requested', subject: { kind: 'failure', id }, data: { kind } },
    });
  });
  return null;
}

async function findJob(tx: Tx, key: JobKey): Promise<QueuedJobRow> {
  const job = await maybeJob(tx, key);
  if (!job) throw NotFound('Job');
  return job;
}

/** Null also for the organization of a job that was deleted since. */
async function organizationOfJob(tx: Tx, key: JobKey): Promise<string | null> {
  const job = await findJob(tx, key);
  const [described] = await describeJobs(tx, () => false, [job]);
  return described?.organization?.id ?? null;
}
