import type { JobData, JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { deliverStream } from './delivery.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'audit-streams.sweep': Record<string, never>;
  }
}

export const auditStreamJobs = (services: Services): JobDefinition[] => [
  {
    name: 'audit-streams.deliver',
    handle: (data) => deliverStream(services, data as JobData['audit-streams.deliver']),
    concurrency: 3,
  },
  // What a process that died left behind, and what was recorded while the sequencer ran elsewhere.
  {
    name: 'audit-streams.sweep',
    handle: () =>
      forEachOrganization(
        services,
        { job: 'audit-streams.sweep', organizations: 'select orgs_with_due_audit_streams() as id' },
        (orgId) => queueDue(services, orgId),
      ),
    cron: '* * * * *',
  },
];

/** Queues a delivery to every destination of an organization that has entries to come and does not back off. */
export const queueDue = ({ database, jobs }: Pick<Services, 'database' | 'jobs'>, orgId: string): Promise<void> =>
  database.withOrg(orgId, async (tx) => {
    const due = await tx.query<{ id: string }>({
      name: 'audit-streams.due',
      text: `select s.id from audit_stream s where s.org_id = $1 and s.enabled and s.next_at <= now() and exists (
               select from ledger_entry e
               where e.org_id = $1 and e.kind like 'audit.%' and (e.epoch, e.leaf_index) > (s.epoch, s.leaf_index))`,
      values: [orgId],
    });
    for (const { id: streamId } of due) {
      await jobs.enqueue(tx, 'audit-streams.deliver', { orgId, streamId }, { key: streamId });
    }
  });
