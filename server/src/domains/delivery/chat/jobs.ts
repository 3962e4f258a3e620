import { CHAT_RETENTION_DAYS } from '@sightline/contract/delivery/chat.ts';
import { requireClocksThen } from '#core/clocks.ts';
import type { JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { sweepDue } from '../destinations/commands.ts';
import { queueSending } from './commands.ts';
import { sendDue } from './send-due.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'chat.sweep': Record<string, never>;
    'chat.forget': Record<string, never>;
  }
}

export const chatJobs = (services: Services): JobDefinition[] => [
  { name: 'chat.send', handle: (job) => sendDue(services, job), concurrency: 4 },
  {
    name: 'chat.sweep',
    handle: () =>
      sweepDue(services, {
        job: 'chat.sweep',
        ...withTargets,
        due: {
          name: 'chat.left',
          text: `select t.id from chat_target t where t.org_id = $1 and t.enabled and t.resumes_at <= now() and exists (
                   select from chat_message m
                   where m.org_id = $1 and m.target_id = t.id and m.status = 'pending' and m.due_at <= now())`,
        },
        enqueue: (tx, orgId, targetId) => queueSending(services.jobs, tx, { orgId, targetId }),
      }),
    cron: '*/5 * * * *',
  },
  { name: 'chat.forget', handle: requireClocksThen(services, deleteOld), cron: '47 3 * * *', expireMinutes: 120 },
];

/** Deletes messages after their retention time, and threads that are not continued anymore. */
const deleteOld = (services: Services): Promise<void> =>
  forEachOrganization(services, { job: 'chat.forget', ...withTargets }, (orgId) =>
    services.database.withOrg(orgId, async (tx) => {
      for (const [table, days] of [
        ['chat_message', CHAT_RETENTION_DAYS],
        ['chat_thread', THREAD_DAYS],
      ] as const) {
        await tx.query({
          name: `chat.forget ${table}`,
          text: `delete from ${table} where org_id = $1 and created_at < now() - make_interval(days => ${days})`,
          values: [orgId],
        });
      }
    }),
  );

/** After this time, a message about the same subject starts another thread. */
const THREAD_DAYS = 90;

const withTargets = { organizations: 'select orgs_with_chat_targets() as id' };
