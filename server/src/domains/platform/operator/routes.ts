import {
  cancelQueuedJob,
  listInstallationFailures,
  listJobQueues,
  listQueuedJobs,
  retryInstallationFailure,
  retryQueuedJob,
} from '@sightline/contract/platform/operator.ts';
import type { FastifyInstance } from 'fastify';
import type { AccountActor } from '#core/actor.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { cancelWaitingJob, type JobOperator, retryFailure, retryJob } from './commands.ts';
import { listFailuresFor, listJobsFor, listQueuesFor, requireOperator } from './queries.ts';

export function operatorRoutes(app: FastifyInstance, services: Services): void {
  const { database, jobs } = services;
  /** The operator log contains the ID of the account, since names and addresses are personal data. */
  async function operatorOf(actor: AccountActor): Promise<JobOperator> {
    await database.global((tx) => requireOperator(tx, actor));
    return { operator: actor.accountId, requestId: actor.requestId };
  }

  route(app, services, listJobQueues, ({ actor }) => database.global((tx) => listQueuesFor(tx, actor)));
  route(app, services, listQueuedJobs, ({ actor, query }) =>
    database.global((tx) => listJobsFor(tx, actor, jobs.isCancelable, query)),
  );
  route(app, services, listInstallationFailures, ({ actor, query }) =>
    database.global((tx) => listFailuresFor(tx, actor, query)),
  );
  route(app, services, retryQueuedJob, async ({ actor, params }) =>
    retryJob(services, await operatorOf(actor), params),
  );
  route(app, services, cancelQueuedJob, async ({ actor, params }) =>
    cancelWaitingJob(services, await operatorOf(actor), params),
  );
  route(app, services, retryInstallationFailure, async ({ actor, params }) =>
    retryFailure(services, await operatorOf(actor), params),
  );
}
