import type { JobData, JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { organizationsWithLedger } from '../../ledger/ledger/queries.ts';
import { createDigests, type DigestRequest, type Week } from './create-digests.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'digests.queue': Record<string, never>;
    'digests.create': { orgId: string; week: Week; request?: DigestRequest };
  }
}

export const digestJobs = (services: Services): JobDefinition[] => [
  // Daily, so that a server that was down on Monday catches up; existing digests are unchanged.
  { name: 'digests.queue', handle: () => queueDigests(services), cron: '37 5 * * *' },
  {
    name: 'digests.create',
    handle: async ({ orgId, week, request }: JobData['digests.create']) => {
      await createDigests(services, orgId, week, { request });
    },
    expireMinutes: 60,
  },
];

function queueDigests(services: Services): Promise<void> {
  const week = lastWeek(new Date());
  return forEachOrganization(services, { job: 'digests.queue', ...organizationsWithLedger }, (orgId) =>
    services.database.withOrg(orgId, (tx) =>
      services.jobs.enqueue(tx, 'digests.create', { orgId, week }, { key: `${orgId} ${week.from}` }),
    ),
  );
}

const DAY_MS = 24 * 60 * 60_000;

/** The last completed week, from Monday to Monday in UTC. */
export function lastWeek(now: Date): Week {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const monday = today - ((now.getUTCDay() + 6) % 7) * DAY_MS;
  return { from: new Date(monday - 7 * DAY_MS).toISOString(), to: new Date(monday).toISOString() };
}
