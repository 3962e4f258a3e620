import type { JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { appendCensus } from './census.ts';
import { runSelfCheck } from './check/self-check.ts';
import { recordCompletedDays } from './days.ts';
import { organizationsWithLedger } from './queries.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'ledger.census': Record<string, never>;
    'ledger.check': Record<string, never>;
    'ledger.day': Record<string, never>;
  }
}

export const ledgerJobs = (services: Services): JobDefinition[] => [
  {
    name: 'ledger.census',
    handle: () =>
      forEachOrganization(services, { job: 'ledger.census', ...organizationsWithLedger }, (orgId) =>
        appendCensus(services.ledger, orgId),
      ),
    cron: '7 * * * *',
    expireMinutes: 60,
  },
  {
    name: 'ledger.check',
    handle: () =>
      forEachOrganization(services, { job: 'ledger.check', ...organizationsWithLedger }, (orgId) =>
        runSelfCheck(services, orgId),
      ),
    cron: '23 2 * * *',
    expireMinutes: 600,
    retries: 1,
  },
  {
    name: 'ledger.day',
    handle: () =>
      forEachOrganization(services, { job: 'ledger.day', ...organizationsWithLedger }, (orgId) =>
        recordCompletedDays(services, orgId),
      ),
    cron: '11 0 * * *',
  },
];
