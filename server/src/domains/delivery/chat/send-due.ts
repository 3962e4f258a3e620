import type { Services } from '#core/services.ts';
import { queueSending } from './commands.ts';
import { type ChatJob, leasePost } from './lease.ts';
import { recordResult } from './results.ts';

/** A job ends after this time and queues the next, so that others are served and the server can stop. */
const JOB_MS = 10_000;

/** Sends the due messages to one channel or person, one post after another. */
export async function sendDue(services: Services, job: ChatJob): Promise<void> {
  const { database, chat, config, jobs, outboundFor } = services;
  const started = performance.now();
  for (;;) {
    const leased = await database.withOrg(job.orgId, (tx) => leasePost(services, tx, job));
    if (!leased) return;
    const outbound = outboundFor(job.orgId, 'chat');
    const result = await chat[leased.service].post(outbound, config.slack.apiURL, leased.address, leased.post);
    if (!(await recordResult(services, job, leased, result))) return;
    if (performance.now() - started > JOB_MS || jobs.stopping.aborted) {
      return database.withOrg(job.orgId, (tx) => queueSending(jobs, tx, job));
    }
  }
}
