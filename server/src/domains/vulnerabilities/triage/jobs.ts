import { isArchived } from '#core/archived.ts';
import type { JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { expireEndedWaivers } from './expiry.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'triage.expire': { orgId: string };
    'triage.tick': Record<string, never>;
  }
}

export const triageJobs = (services: Services): JobDefinition[] => [
  { name: 'triage.expire', handle: ({ orgId }) => expireAll(services, orgId) },
  // A waiver queues its own expiry. This job finds waivers whose job was lost or waited while the organization was
  // archived.
  { name: 'triage.tick', handle: () => queueExpiries(services), cron: '*/5 * * * *' },
];

const queueExpiries = (services: Services): Promise<void> =>
  forEachOrganization(
    services,
    { job: 'triage.tick', organizations: 'select orgs_with_ended_finding_waivers() as id' },
    (orgId) =>
      services.database.withOrg(orgId, (tx) => services.jobs.enqueue(tx, 'triage.expire', { orgId }, { key: orgId })),
  );

async function expireAll(services: Services, orgId: string): Promise<void> {
  const { withOrg } = services.database;
  if (await withOrg(orgId, (tx) => isArchived(tx, orgId))) return;
  let more = true;
  while (more) more = await withOrg(orgId, (tx) => expireEndedWaivers(services, tx, orgId));
}
