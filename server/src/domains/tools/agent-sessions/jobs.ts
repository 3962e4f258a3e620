import { requireClocksThen } from '#core/clocks.ts';
import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { expireTelemetry } from './retention.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'agents.expire': Record<string, never>;
  }
}

export const agentSessionJobs = (services: Services): JobDefinition[] => [
  {
    name: 'agents.expire',
    expireMinutes: 240,
    handle: requireClocksThen(services, expireTelemetry),
    cron: '57 3 * * *',
  },
];
