import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { isArchived } from '#core/archived.ts';
import type { JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raise } from '../../delivery/notifications/commands.ts';
import { newsOf, note } from './commands.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'exceptions.expire': { orgId: string };
    'exceptions.tick': Record<string, never>;
  }
}

export const exceptionJobs = (services: Services): JobDefinition[] => [
  { name: 'exceptions.expire', handle: ({ orgId }) => expire(services, orgId) },
  { name: 'exceptions.tick', handle: () => tick(services), cron: '*/5 * * * *' },
];

const tick = (services: Services): Promise<void> =>
  forEachOrganization(
    services,
    { job: 'exceptions.tick', organizations: 'select orgs_with_ended_control_waivers() as id' },
    (orgId) =>
      services.database.withOrg(orgId, (tx) =>
        services.jobs.enqueue(tx, 'exceptions.expire', { orgId }, { key: orgId }),
      ),
  );

async function expire(services: Services, orgId: string): Promise<void> {
  const { withOrg } = services.database;
  if (await withOrg(orgId, (tx) => isArchived(tx, orgId))) return;
  let more = true;
  while (more) more = await withOrg(orgId, (tx) => expireEnded(services, tx, orgId));
}

const batch = 200;

/** Notes that the time of leave is over, or of a request that nobody decided. The judge knew it before: leave holds until a moment. */
async function expireEnded(services: Services, tx: Tx, orgId: string): Promise<boolean> {
  const rows = await tx.query<{
    id: string;
    control_id: string;
    subject: string;
    repository_id: string | null;
    full_name: string | null;
    valid_until: Date;
    requested_by: string;
  }>({
    name: 'exceptions.expire',
    text: `with over as (
             select id from control_waiver where org_id = $1 and expired_at is null and valid_until <= now()
               and (decision is null or decision = 'approved') order by valid_until, id limit ${batch} for update
           ), ended as (
             update control_waiver e set expired_at = now() from over o where e.org_id = $1 and e.id = o.id
             returning e.id, e.control_id, e.subject, e.repository_id, e.valid_until, e.requested_by)
           select d.*, r.full_name from ended d left join repository r on r.org_id = $1 and r.id = d.repository_id
           order by d.valid_until, d.id`,
    values: [orgId],
  });
  const clock = { clock: true } as const;
  const news = [];
  for (const row of rows) {
    const leave = {
      id: row.id,
      control: row.control_id as ControlId,
      subject: row.subject,
      repositoryId: row.repository_id,
      repository: row.full_name,
      until: row.valid_until,
      requestedBy: row.requested_by,
    };
    const { events } = await note(services, tx, orgId, { doer: clock, action: 'exception.expired', leave });
    news.push({ ...newsOf('exception.expired', leave), events });
  }
  await raise(services, tx, orgId, { doer: clock, news });
  return rows.length === batch;
}
