import type { JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { withLedger } from '../../ledger/ledger/queries.ts';
import { queueStatus } from './commands.ts';
import { enforce, openOf, speaks } from './enforce.ts';
import { warn } from './warn.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'policies.warn': { orgId: string; runId: string };
    'policies.enforce': { orgId: string; repositoryId: string; number: number };
    'policies.enforce-all': { orgId: string };
    'policies.tick': Record<string, never>;
  }
}

export const policyJobs = (services: Services): JobDefinition[] => [
  { name: 'policies.enforce', handle: (open) => enforce(services, open) },
  { name: 'policies.enforce-all', handle: ({ orgId }) => enforceAll(services, orgId) },
  // Covers changes without a webhook: finished checks, missed reviews.
  { name: 'policies.tick', handle: () => enforceEverywhere(services), cron: '*/15 * * * *' },
  { name: 'policies.warn', handle: ({ orgId, runId }) => warn(services, orgId, runId) },
];

const enforceEverywhere = (services: Services): Promise<void> =>
  forEachOrganization(services, { job: 'policies.tick', ...withLedger }, (id) =>
    services.database.withOrg(id, async (tx) => {
      if (await speaks(tx, id)) await services.jobs.enqueue(tx, 'policies.enforce-all', { orgId: id }, { key: id });
    }),
  );

const enforceAll = (services: Services, orgId: string): Promise<void> =>
  services.database.withOrg(orgId, async (tx) => {
    for (const { repositoryId, number } of await openOf(tx, orgId)) {
      await queueStatus(services, tx, orgId, { repositoryId, number });
    }
  });
