import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { resumeErasures } from './commands.ts';
import { runErasure } from './run.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'erasure.resume': Record<string, never>;
  }
}

export const erasureJobs = (services: Services): JobDefinition[] => [
  {
    name: 'erasure.run',
    handle: ({ orgId, erasureId }) => runErasure(services, orgId, erasureId),
    expireMinutes: 120,
  },
  // Resumes erasures whose job used up its retries.
  { name: 'erasure.resume', handle: () => resumeErasures(services), cron: '53 * * * *' },
];
