import type { JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { recordSideTimeouts } from './changes.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'presence.lapse': Record<string, never>;
  }
}

export const presenceJobs = (services: Services): JobDefinition[] => [
  {
    name: 'presence.lapse',
    cron: '* * * * *',
    handle: () =>
      forEachOrganization(
        services,
        { job: 'presence.lapse', organizations: 'select orgs_with_connected_sides() as id' },
        (orgId) => services.database.withOrg(orgId, (tx) => recordSideTimeouts(tx, orgId)),
      ),
  },
];
