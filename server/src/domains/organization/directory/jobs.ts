import type { JobData, JobDefinition } from '#core/jobs.ts';
import { forEachOrganization } from '#core/organizations.ts';
import type { Services } from '#core/services.ts';
import { applyAccess } from './access.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    /** Applies the directory to the memberships of users that are due. */
    'directory.apply': { orgId: string };
    'directory.sweep': Record<string, never>;
  }
}

/** Users of one transaction, so that the lock of the organization is held for a short time. */
const CHUNK = 50;

export const directoryJobs = (services: Services): JobDefinition[] => [
  { name: 'directory.apply', handle: (data) => applyDue(services, (data as JobData['directory.apply']).orgId) },
  { name: 'directory.sweep', handle: () => sweep(services), cron: '* * * * *' },
];

const sweep = (services: Services): Promise<void> =>
  forEachOrganization(
    services,
    { job: 'directory.sweep', organizations: 'select orgs_with_due_directory_users() as id' },
    (orgId) => applyDue(services, orgId),
  );

/**
 * Applies users that are due, and those who were kept out or kept in until something else changed: an address of a
 * domain that is verified now, an owner who is no longer the last one.
 */
async function applyDue(services: Services, orgId: string): Promise<void> {
  let after: string | undefined;
  for (;;) {
    const last = await services.database.withOrg(orgId, async (tx) => {
      const rows = await tx.query<{ id: string }>({
        name: 'directory.due-users',
        text: `select u.id from directory_user u join organization o on o.id = u.org_id
               where u.org_id = $1 and o.archived_at is null and ($2::uuid is null or u.id > $2)
                 and (u.is_due or u.withheld in ('last_owner', 'last_break_glass_owner', 'address_taken')
                   or u.withheld = 'domain_not_verified' and (exists (
                     select from organization_domain d where d.org_id = $1 and d.verified_at is not null
                       and d.domain = split_part(u.email, '@', 2))
                     or exists (select from account a join member m on m.org_id = $1 and m.account_id = a.id
                       where lower(a.email) = u.email)))
               order by u.id limit ${CHUNK}`,
        values: [orgId, after ?? null],
      });
      await applyAccess(
        { services, tx, orgId },
        rows.map(({ id }) => id),
      );
      return rows.at(-1)?.id;
    });
    if (last === undefined) return;
    after = last;
  }
}
