import type { JobData, JobDefinition } from '#core/jobs.ts';
import type { Services } from '#core/services.ts';
import { type DueDestinations, enqueueDue, sweepDue } from '../../delivery/destinations/commands.ts';
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
  {
    name: 'audit-streams.sweep',
    handle: () =>
      sweepDue(services, {
        job: 'audit-streams.sweep',
        organizations: 'select orgs_with_due_audit_streams() as id',
        ...dueStreams(services),
      }),
    cron: '* * * * *',
  },
];

/** Queues a delivery to every destination of an organization that has new entries and does not wait for a retry. */
export const queueDue = (services: Pick<Services, 'database' | 'jobs'>, orgId: string): Promise<void> =>
  services.database.withOrg(orgId, (tx) => enqueueDue(tx, orgId, dueStreams(services)));

const dueStreams = ({ jobs }: Pick<Services, 'jobs'>): DueDestinations => ({
  due: {
    name: 'audit-streams.due',
    text: `select s.id from audit_stream s where s.org_id = $1 and s.enabled and s.next_at <= now() and exists (
             select from ledger_entry e
             where e.org_id = $1 and e.kind like 'audit.%' and (e.epoch, e.leaf_index) > (s.epoch, s.leaf_index))`,
  },
  enqueue: (tx, orgId, streamId) => jobs.enqueue(tx, 'audit-streams.deliver', { orgId, streamId }, { key: streamId }),
});
