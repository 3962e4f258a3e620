import { isArchived } from '#core/archived.ts';
import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { expireEnded } from './expiry.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'triage.expire': { orgId: string };
    'triage.tick': Record<string, never>;
  }
}

export const triageJobs = (services: Services): JobDefinition[] => [
  { name: 'triage.expire', handle: ({ orgId }) => expire(services, orgId) },
  // An exception queues its own end. This finds those whose job was lost, or waited while the organisation was archived.
  { name: 'triage.tick', handle: () => tick(services), cron: '*/5 * * * *' },
];

async function tick({ database, jobs }: Services): Promise<void> {
  const { rows } = await database.pool.query<{ id: string }>('select orgs_with_ended_exceptions() as id');
  for (const { id } of rows) {
    await database.withOrg(id, (tx) => jobs.enqueue(tx, 'triage.expire', { orgId: id }, { key: id }));
  }
}

async function expire(services: Services, orgId: string): Promise<void> {
  const { withOrg } = services.database;
  if (await withOrg(orgId, (tx) => isArchived(tx, orgId))) return;
  let more = true;
  while (more) more = await withOrg(orgId, (tx) => expireEnded(services, tx, orgId));
}
