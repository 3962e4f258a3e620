import type { JobData, JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { queueCopilotReading } from './commands.ts';
import { listSourceIds } from './queries.ts';
import { readReports } from './read.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'copilot-usage.all': Record<string, never>;
  }
}

export const copilotUsageJobs = (services: Services): JobDefinition[] => [
  {
    name: 'copilot-usage.read',
    handle: (data) => readReports(services, data as JobData['copilot-usage.read']),
    repeats: true,
  },
  { name: 'copilot-usage.all', handle: () => readAll(services), cron: '34 5 * * *' },
];

const readAll = (services: Services): Promise<void> =>
  forEachOrganization(
    services,
    { job: 'copilot-usage.all', organizations: 'select every_organization() as id' },
    (orgId) =>
      services.database.withOrg(orgId, async (tx) => {
        for (const installationId of await listSourceIds(tx, orgId))
          await queueCopilotReading(services, tx, { orgId, installationId });
      }),
  );
