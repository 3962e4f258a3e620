import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { sendDue } from './digests.ts';
import { remind } from './reminders.ts';
import { tellWaiting } from './tell.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'notifications.send': { orgId: string };
    'notifications.remind': { orgId: string };
    'notifications.tick': Record<string, never>;
    'notifications.day': Record<string, never>;
  }
}

export const notificationJobs = (services: Services): JobDefinition[] => [
  { name: 'notifications.tell', handle: ({ orgId }) => tellWaiting(services, orgId), concurrency: 2 },
  { name: 'notifications.send', handle: ({ orgId }) => sendDue(services, orgId), concurrency: 2 },
  { name: 'notifications.remind', handle: ({ orgId }) => remind(services, orgId) },
  // Mails queue themselves where they are due soon; this finds the others, and news whose job was lost.
  { name: 'notifications.tick', handle: () => tick(services), cron: '*/5 * * * *' },
  { name: 'notifications.day', handle: () => day(services), cron: '0 5 * * *' },
];

async function tick({ database, jobs }: Services): Promise<void> {
  const { rows } = await database.pool.query<{ id: string }>('select orgs_with_due_notifications() as id');
  for (const { id } of rows) {
    await database.withOrg(id, async (tx) => {
      await jobs.enqueue(tx, 'notifications.tell', { orgId: id }, { key: id });
      await jobs.enqueue(tx, 'notifications.send', { orgId: id }, { key: id });
    });
  }
}

async function day({ database, jobs }: Services): Promise<void> {
  const { rows } = await database.pool.query<{ id: string }>('select every_organization() as id');
  for (const { id } of rows) {
    await database.withOrg(id, (tx) => jobs.enqueue(tx, 'notifications.remind', { orgId: id }, { key: id }));
  }
}
