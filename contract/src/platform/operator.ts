import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { boundedText, commaList, timestamp } from '../core/text.ts';

/** `retrying`: failed, and waits for the next attempt. Succeeded jobs are not listed. */
export const jobStates = ['waiting', 'running', 'retrying', 'failed', 'canceled'] as const;
const jobState = z.enum(jobStates);
export type JobState = z.infer<typeof jobState>;

const count = z.number().int();
const organization = z.object({ id: z.string(), name: z.string() });

/** A queue of background jobs with the number of its jobs by state. */
const jobQueue = z.object({
  name: z.string(),
  waiting: count,
  running: count,
  retrying: count,
  failed: count,
  /** The seconds for which the longest waiting job has been due; 0 if none is due. */
  overdueSeconds: z.number(),
  lastFailedAt: timestamp.nullable(),
});
export type JobQueue = z.infer<typeof jobQueue>;

/** A background job, without its data. */
const queuedJob = z.object({
  id: z.string(),
  queue: z.string(),
  state: jobState,
  /** The organization that the job works for; null: the whole installation, or a deleted organization. */
  organization: organization.nullable(),
  /** The request that caused the job; null: a schedule. */
  requestId: z.string().nullable(),
  attempts: count,
  maxAttempts: count,
  createdAt: timestamp,
  startedAt: timestamp.nullable(),
  /** The end of the last attempt of a failed job; null for other states. */
  failedAt: timestamp.nullable(),
  /** Null if no attempt follows. */
  nextAttemptAt: timestamp.nullable(),
  /** The error of the last attempt, with addresses, quoted values and credentials removed. */
  cause: z.string().nullable(),
  /** Whether the job can run now: it failed, or waits for its next attempt. */
  canRetry: z.boolean(),
  /** Whether the job can be canceled: it has not started, and a schedule queues its work again. */
  canCancel: z.boolean(),
});
export type QueuedJob = z.infer<typeof queuedJob>;

/** The kinds of work that failed outside the job queue. */
export const failureKinds = ['import', 'host_webhook', 'webhook', 'chat', 'audit_stream', 'evidence_delivery'] as const;
const failureKind = z.enum(failureKinds);
export type FailureKind = z.infer<typeof failureKind>;

/** An import or a delivery whose last attempt failed. */
const installationFailure = z.object({
  kind: failureKind,
  /** The ID of the repository, webhook delivery, channel, stream or evidence delivery. */
  id: z.string(),
  /** The code host of an import, the event of a webhook, the chat service, the kind of a stream. */
  item: z.string(),
  organization: organization.nullable(),
  failedAt: timestamp,
  attempts: count,
  /** Null if no attempt follows without a person. */
  nextAttemptAt: timestamp.nullable(),
  cause: z.string().nullable(),
});
export type InstallationFailure = z.infer<typeof installationFailure>;

const reading = { method: 'GET', scope: 'account', topics: ['operatorJobs'] } as const;
const changing = { method: 'POST', scope: 'account', stepUp: true, changes: ['operatorJobs'] } as const;
const queueName = boundedText(100).regex(/^[a-z][a-z.-]*$/, { error: 'is not a queue' });
const params = z.strictObject({ queue: queueName, jobId: z.uuid() });

export const listJobQueues = endpoint({
  ...reading,
  path: '/v2/operator/queues',
  summary: 'Lists the queues of background jobs of the installation. Only for operators.',
  response: z.array(jobQueue),
});

export const listQueuedJobs = endpoint({
  ...reading,
  path: '/v2/operator/jobs',
  summary:
    'Lists background jobs of all organizations that have not succeeded. The search finds the ID of a job, request or organization. Only for operators.',
  query: pagedQuery(['date-desc', 'date-asc'], { queue: commaList(queueName), state: commaList(jobState) }),
  response: z.array(queuedJob),
  paged: true,
});

export const listInstallationFailures = endpoint({
  ...reading,
  path: '/v2/operator/failures',
  summary: 'Lists imports and deliveries of all organizations whose last attempt failed. Only for operators.',
  query: pagedQuery(['date-desc', 'date-asc'], { kind: commaList(failureKind) }),
  response: z.array(installationFailure),
  paged: true,
});

export const retryQueuedJob = endpoint({
  ...changing,
  path: '/v2/operator/jobs/:queue/:jobId/retry',
  summary: 'Runs a failed or retrying job now. Only for operators.',
  params,
  response: queuedJob,
  errors: ['not_found', 'conflict'],
});

export const cancelQueuedJob = endpoint({
  ...changing,
  path: '/v2/operator/jobs/:queue/:jobId/cancel',
  summary: 'Cancels a job that has not started, if a schedule queues its work again. Only for operators.',
  params,
  response: queuedJob,
  errors: ['not_found', 'conflict'],
});

export const retryInstallationFailure = endpoint({
  ...changing,
  path: '/v2/operator/organizations/:organizationId/failures/:kind/:failureId/retry',
  summary: 'Retries a failed import or delivery of an organization now. Only for operators.',
  params: z.strictObject({ organizationId: z.uuid(), kind: failureKind, failureId: boundedText(200).min(1) }),
  status: 204,
  response: z.null(),
  errors: ['not_found', 'conflict'],
});
