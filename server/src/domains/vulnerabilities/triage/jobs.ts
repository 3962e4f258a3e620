import { isArchived } from '#core/archived.ts';
import type { JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { expireEnded } from './expiry.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'triage.expire': { orgId: string };
    'triage.tick': Record<string, never>;
  }
}

export const triageJobs = (services: Services): JobDefinition[] => [
  { name: 'triage.expire', handle: ({ orgId }) => expire(services, orgId) },
  // An exception queues its own end. This finds those whose job was lost, or waited while the organization was archived.
  { name: 'triage.tick', handle: () => tick(services), cron: '*/5 * * * *' },
];

const tick = (services: Services): Promise<void> =>
  forEachOrganization(
    services,
    { job: 'triage.tick', organizations: 'select orgs_with_ended_finding_waivers() as id' },
    (orgId) =>
      services.database.withOrg(orgId, (tx) => services.jobs.enqueue(tx, 'triage.expire', { orgId }, { key: orgId })),
  );

async function expire(services: Services, orgId: string): Promise<void> {
  const { withOrg } = services.database;
  if (await withOrg(orgId, (tx) => isArchived(tx, orgId))) return;
  let more = true;
  while (more) more = await withOrg(orgId, (tx) => expireEnded(services, tx, orgId));
}
