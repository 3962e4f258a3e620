import { Refusal } from '#core/errors.ts';
import type { JobData, JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { maybeRow } from './row.ts';
import { sync } from './sync.ts';
import { retire } from './take.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'checkmarx.sync': { orgId: string; projectId?: string };
    'checkmarx.retire': { orgId: string; repositoryId: string; place: number };
    'checkmarx.everybody': Record<string, never>;
  }
}

export const checkmarxJobs = (services: Services): JobDefinition[] => [
  {
    name: 'checkmarx.sync',
    handle: (data) => {
      const { orgId, projectId } = data as JobData['checkmarx.sync'];
      return sync(services, orgId, projectId);
    },
    concurrency: 2,
    expireMinutes: 120,
  },
  { name: 'checkmarx.retire', handle: (data) => leave(services, data as JobData['checkmarx.retire']) },
  { name: 'checkmarx.everybody', handle: () => syncEverybody(services), cron: '7 * * * *' },
];

async function leave(services: Services, { orgId, repositoryId, place }: JobData['checkmarx.retire']): Promise<void> {
  await retire(services, orgId, repositoryId, place).catch((error: unknown) => {
    // Disabled or archived meanwhile: nothing is shown there that could be wrong.
    if (!(error instanceof Refusal)) throw error;
  });
}

const spread = 10 * 60_000;

// Not all in the same minute: they share the line to Checkmarx One.
async function syncEverybody({ database, jobs }: Services): Promise<void> {
  const { rows } = await database.pool.query<{ id: string }>(`select orgs_with_integration('checkmarx') as id`);
  for (const { id } of rows) {
    const startAfter = new Date(Date.now() + Math.random() * spread);
    await database.withOrg(id, async (tx) => {
      // Begun and not ended: it may have died with its process.
      const isOpen = (await maybeRow(tx, id))?.sync_run != null;
      const options = { key: `${id} hourly`, ...(!isOpen && { startAfter }) };
      await jobs.enqueue(tx, 'checkmarx.sync', { orgId: id }, options);
    });
  }
}
