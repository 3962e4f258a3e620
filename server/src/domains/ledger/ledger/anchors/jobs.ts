import { ATTEMPT_RETENTION_DAYS } from '@sightline/contract/ledger/anchors.ts';
import { sql } from 'kysely';
import type { JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { mailConfirmation } from './addresses.ts';
import { leaveWith } from './publish-checkpoint.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'ledger.leave': { orgId: string; anchorId: string };
    'ledger.anchors': Record<string, never>;
  }
}

export const anchorJobs = (services: Services): JobDefinition[] => [
  { name: 'ledger.leave', handle: (data) => leaveWith(services, data), concurrency: 2, retries: 2 },
  {
    name: 'ledger.confirm-address',
    handle: ({ orgId, addressId }) => mailConfirmation(services, orgId, addressId),
    expireMinutes: 2,
  },
  { name: 'ledger.anchors', handle: () => queueDue(services), cron: '*/5 * * * *' },
];

/** Whatever is due, and what a process that died had begun. Also deletes attempts that are older than they are kept. */
const queueDue = (services: Services): Promise<void> =>
  forEachOrganization(
    services,
    { job: 'ledger.anchors', organizations: 'select orgs_with_due_anchors() as id' },
    (orgId) =>
      services.database.withOrg(orgId, async (tx) => {
        const due = await tx.query<{ id: string }>({
          name: 'ledger.due-anchors',
          text: 'select id from anchor where org_id = $1 and enabled and next_at <= now()',
          values: [orgId],
        });
        for (const { id } of due) await services.jobs.enqueue(tx, 'ledger.leave', { orgId, anchorId: id }, { key: id });
        await tx.db
          .deleteFrom('anchor_attempt')
          .where('org_id', '=', orgId)
          .where('at', '<', sql<Date>`now() - make_interval(days => ${ATTEMPT_RETENTION_DAYS})`)
          .execute();
      }),
  );
