import { isArchived } from '#core/archived.ts';
import type { JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { expireEndedWaivers } from './expiry.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'waivers.expire': { orgId: string };
    'waivers.tick': Record<string, never>;
  }
}

export const waiverJobs = (services: Services): JobDefinition[] => [
  { name: 'waivers.expire', handle: ({ orgId }) => expireWaivers(services, orgId) },
  // An approval queues the expiry. This job finds undecided requests, and waivers whose job was lost or ran while the
  // organization was archived.
  { name: 'waivers.tick', handle: () => queueExpiries(services), cron: '*/5 * * * *' },
];

const queueExpiries = (services: Services): Promise<void> =>
  forEachOrganization(
    services,
    {
      job: 'waivers.tick',
      organizations: 'select orgs_with_ended_finding_waivers() as id union select orgs_with_ended_control_waivers()',
    },
    (orgId) =>
      services.database.withOrg(orgId, (tx) => services.jobs.enqueue(tx, 'waivers.expire', { orgId }, { key: orgId })),
  );

async function expireWaivers(services: Services, orgId: string): Promise<void> {
  const { withOrg } = services.database;
  if (await withOrg(orgId, (tx) => isArchived(tx, orgId))) return;
  let more = true;
  while (more) more = await withOrg(orgId, (tx) => expireEndedWaivers(services, tx, orgId));
}
