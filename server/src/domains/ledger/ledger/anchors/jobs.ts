import { ATTEMPT_RETENTION_DAYS } from '@sightline/contract/ledger/anchors.ts';
import { sql } from 'kysely';
import type { JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { sweepDue } from '../../../delivery/destinations/commands.ts';
import { mailConfirmation } from './addresses.ts';
import { publishTo } from './publish-checkpoint.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'ledger.publish': { orgId: string; anchorId: string };
    'ledger.anchors': Record<string, never>;
  }
}

export const anchorJobs = (services: Services): JobDefinition[] => [
  { name: 'ledger.publish', handle: (data) => publishTo(services, data), concurrency: 2, retries: 2 },
  {
    name: 'ledger.confirm-address',
    handle: ({ orgId, addressId }) => mailConfirmation(services, orgId, addressId),
    expireMinutes: 2,
  },
  { name: 'ledger.anchors', handle: () => runDue(services), cron: '*/5 * * * *' },
];

/** Queues the anchors that are due, and deletes attempts after their retention time. */
const runDue = (services: Services): Promise<void> =>
  sweepDue(services, {
    job: 'ledger.anchors',
    organizations: 'select orgs_with_due_anchors() as id',
    due: {
      name: 'ledger.due-anchors',
      text: 'select id from anchor where org_id = $1 and enabled and next_at <= now()',
    },
    async enqueue(tx, orgId, anchorId) {
      await services.jobs.enqueue(tx, 'ledger.publish', { orgId, anchorId }, { key: anchorId });
      await tx.db
        .deleteFrom('anchor_attempt')
        .where('org_id', '=', orgId)
        .where('at', '<', sql<Date>`now() - make_interval(days => ${ATTEMPT_RETENTION_DAYS})`)
        .execute();
    },
  });
