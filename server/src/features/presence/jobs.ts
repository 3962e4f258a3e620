import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { noteLapses } from './changes.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'presence.lapse': Record<string, never>;
  }
}

export const presenceJobs = ({ database }: Services): JobDefinition[] => [
  {
    name: 'presence.lapse',
    cron: '* * * * *',
    async handle() {
      const { rows } = await database.pool.query<{ id: string }>('select orgs_with_connected_sides() as id');
      for (const { id } of rows) await database.withOrg(id, (tx) => noteLapses(tx, id));
    },
  },
];
