import type { TrackerName } from '@sightline/contract/sources/trackers.ts';
import type { JobData, JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { queueTrackerSync } from './queue.ts';
import { listConnectedTrackers } from './row.ts';
import { syncTrackerTickets } from './sync.ts';

export const trackerJobs = (services: Services): JobDefinition[] => [
  {
    name: 'trackers.sync',
    repeats: true,
    handle: (data) => {
      const { orgId, tracker, ids } = data as JobData['trackers.sync'];
      return syncTrackerTickets(services, orgId, tracker, ids);
    },
    concurrency: 2,
    expireMinutes: 60,
  },
  { name: 'trackers.queue-syncs', handle: () => queueSyncs(services), cron: '*/5 * * * *' },
];

const MAX_DELAY_MS = 60_000;

// Delays syncs randomly, since organizations may share a tracker.
const queueSyncs = (services: Services): Promise<void> =>
  forEachOrganization(
    services,
    { job: 'trackers.queue-syncs', organizations: 'select orgs_with_trackers() as id' },
    (orgId) =>
      services.database.withOrg(orgId, async (tx) => {
        for (const { name } of await listConnectedTrackers(tx, orgId)) {
          const at = new Date(Date.now() + Math.random() * MAX_DELAY_MS);
          await queueTrackerSync(services, tx, orgId, { tracker: name as TrackerName, at });
        }
      }),
  );
