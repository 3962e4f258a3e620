import { requireClocksThen } from '#core/clocks.ts';
import type { JobDefinition } from '#core/jobs.ts';
import { copyOperatorEntriesToAuditLogs } from '#core/operator-log.ts';
import type { Services } from '#core/services.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'flags.forget': Record<string, never>;
    'flags.broadcast': Record<string, never>;
  }
}

export const flagJobs = (services: Services): JobDefinition[] => [
  { name: 'flags.forget', handle: requireClocksThen(services, forgetUsage), cron: '41 3 * * *' },
  {
    name: 'flags.broadcast',
    handle: () => copyOperatorEntriesToAuditLogs(services),
    cron: '*/10 * * * *',
    expireMinutes: 60,
  },
];

const day = 24 * 60 * 60_000;
/** The retention of counts, in days. */
const retentionDays = 30;

const forgetUsage = async ({ database }: Services): Promise<void> => {
  const before = new Date(Date.now() - retentionDays * day);
  await database.global(({ db }) => db.deleteFrom('flag_usage').where('hour', '<', before).execute());
};
