import type { JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { deliverPending } from './deliver.ts';
import { sendDueDigests } from './digests.ts';
import { remind } from './reminders.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'notifications.send': { orgId: string };
    'notifications.remind': { orgId: string };
    'notifications.tick': Record<string, never>;
    'notifications.day': Record<string, never>;
  }
}

export const notificationJobs = (services: Services): JobDefinition[] => [
  { name: 'notifications.deliver', handle: ({ orgId }) => deliverPending(services, orgId), concurrency: 2 },
  { name: 'notifications.send', handle: ({ orgId }) => sendDueDigests(services, orgId), concurrency: 2 },
  { name: 'notifications.remind', handle: ({ orgId }) => remind(services, orgId) },
  // Emails that are due soon queue their job themselves; this finds all others, and notifications whose job was lost.
  { name: 'notifications.tick', handle: () => tick(services), cron: '*/5 * * * *' },
  { name: 'notifications.day', handle: () => day(services), cron: '0 5 * * *' },
];

const tick = (services: Services): Promise<void> =>
  forEachOrganization(
    services,
    { job: 'notifications.tick', organizations: 'select orgs_with_due_notifications() as id' },
    (orgId) =>
      services.database.withOrg(orgId, async (tx) => {
        await services.jobs.enqueue(tx, 'notifications.deliver', { orgId }, { key: orgId });
        await services.jobs.enqueue(tx, 'notifications.send', { orgId }, { key: orgId });
      }),
  );

const day = (services: Services): Promise<void> =>
  forEachOrganization(
    services,
    { job: 'notifications.day', organizations: 'select every_organization() as id' },
    (orgId) =>
      services.database.withOrg(orgId, (tx) =>
        services.jobs.enqueue(tx, 'notifications.remind', { orgId }, { key: orgId }),
      ),
  );
