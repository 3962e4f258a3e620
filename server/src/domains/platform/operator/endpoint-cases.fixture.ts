import {
  cancelQueuedJob,
  listInstallationFailures,
  listJobQueues,
  listQueuedJobs,
  retryInstallationFailure,
  retryQueuedJob,
} from '@sightline/contract/platform/operator.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';
import { failedJobQueue, waitingJobQueue } from './seeded-items.fixture.ts';

// The owner of the organization is an operator of the installation, all others are not.
const access = { allows: 'accounts', otherAccounts: 403 } as const;

export const endpointCases = [
  endpointCase(cancelQueuedJob, {
    request: ({ waitingJobId }) => ({ params: { queue: waitingJobQueue, jobId: waitingJobId } }),
    access,
    recentSignIn: true,
    writes: ['job.canceled'],
  }),
  endpointCase(listInstallationFailures, {
    request: () => ({ query: { sort: 'date-asc' } }),
    access,
  }),
  endpointCase(listJobQueues, { access }),
  endpointCase(listQueuedJobs, {
    request: () => ({ query: { state: 'failed,waiting', sort: 'date-asc' } }),
    access,
  }),
  endpointCase(retryInstallationFailure, {
    request: ({ orgId, failedWebhookId }) => ({
      params: { organizationId: orgId, kind: 'host_webhook', failureId: failedWebhookId },
    }),
    access,
    recentSignIn: true,
    writes: ['failure.retry_requested'],
  }),
  endpointCase(retryQueuedJob, {
    request: ({ failedJobId }) => ({ params: { queue: failedJobQueue, jobId: failedJobId } }),
    access,
    recentSignIn: true,
    writes: ['job.retried'],
  }),
];
