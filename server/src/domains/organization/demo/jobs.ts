import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { deleteDemo } from './commands.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'demo.remove': { orgId: string };
  }
}

export const demoJobs = (services: Services): JobDefinition[] => [
  { name: 'demo.remove', handle: ({ orgId }) => deleteDemo(services, orgId), expireMinutes: 30 },
];
