import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { takeCensus } from './census.ts';
import { checkItself } from './check/itself.ts';
import { ofEachLedger } from './commands.ts';
import { closeDays } from './days.ts';

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
    handle: () => ofEachLedger(services, (orgId) => takeCensus(services.ledger, orgId)),
    cron: '7 * * * *',
    expireMinutes: 60,
  },
  {
    name: 'ledger.check',
    handle: () => ofEachLedger(services, (orgId) => checkItself(services, orgId)),
    cron: '23 2 * * *',
    expireMinutes: 600,
    retries: 1,
  },
  {
    name: 'ledger.day',
    handle: () => ofEachLedger(services, (orgId) => closeDays(services, orgId)),
    cron: '11 0 * * *',
  },
];
