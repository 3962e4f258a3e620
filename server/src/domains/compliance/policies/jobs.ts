import type { JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { organizationsWithLedger } from '../../ledger/ledger/queries.ts';
import { queuePolicyResults } from './commands.ts';
import { notifyOfViolations } from './notify-of-violations.ts';
import { hasPublishingPolicy, openPullRequestsOf, publishResults } from './publish-results.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'policies.warn': { orgId: string; runId: string };
    'policies.enforce': { orgId: string; repositoryId: string; number: number };
    'policies.enforce-all': { orgId: string };
    'policies.tick': Record<string, never>;
  }
}

export const policyJobs = (services: Services): JobDefinition[] => [
  { name: 'policies.enforce', handle: (open) => publishResults(services, open) },
  { name: 'policies.enforce-all', handle: ({ orgId }) => enforceAll(services, orgId) },
  // Covers changes without a webhook: finished checks, missed reviews.
  { name: 'policies.tick', handle: () => enforceEverywhere(services), cron: '*/15 * * * *' },
  { name: 'policies.warn', handle: ({ orgId, runId }) => notifyOfViolations(services, orgId, runId) },
];

const enforceEverywhere = (services: Services): Promise<void> =>
  forEachOrganization(services, { job: 'policies.tick', ...organizationsWithLedger }, (id) =>
    services.database.withOrg(id, async (tx) => {
      if (await hasPublishingPolicy(tx, id))
        await services.jobs.enqueue(tx, 'policies.enforce-all', { orgId: id }, { key: id });
    }),
  );

const enforceAll = (services: Services, orgId: string): Promise<void> =>
  services.database.withOrg(orgId, async (tx) => {
    for (const { repositoryId, number } of await openPullRequestsOf(tx, orgId)) {
      await queuePolicyResults(services, tx, orgId, { repositoryId, number });
    }
  });
