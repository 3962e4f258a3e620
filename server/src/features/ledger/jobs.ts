import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { takeCensus } from './census.ts';
import { checkItself } from './check/itself.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'ledger.census': Record<string, never>;
    'ledger.check': Record<string, never>;
  }
}

export const ledgerJobs = (services: Services): JobDefinition[] => [
  {
    name: 'ledger.census',
    handle: () => ofEach(services, async (orgId) => void (await takeCensus(services.ledger, orgId))),
    cron: '7 * * * *',
    expireMinutes: 60,
  },
  {
    name: 'ledger.check',
    handle: () => ofEach(services, (orgId) => checkItself(services, orgId)),
    cron: '23 2 * * *',
    expireMinutes: 600,
    retries: 1,
  },
];

/** One that fails does not keep the others from theirs. */
async function ofEach({ database, log }: Services, work: (orgId: string) => Promise<void>): Promise<void> {
  const { rows } = await database.pool.query<{ id: string }>('select orgs_with_ledger() as id');
  let failed: Error | undefined;
  for (const { id } of rows) {
    try {
      await work(id);
    } catch (error) {
      failed = error as Error;
      log.warn({ orgId: id, error: failed.message }, 'a job of the ledger failed');
    }
  }
  if (failed) throw failed;
}
