import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { type Organization, RESTORE_PERIOD_DAYS } from '@sightline/contract/organization/organizations.ts';
import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Database, Tx } from '#database/database.ts';
import { invitationTicketOf } from '../../identity/invitation-tickets/queries.ts';

interface AccountEmail {
  id: string;
  email: string;
}

const columns = [
  'o.id',
  'o.name',
  'o.display_name',
  'o.description',
  'o.logo_url',
  'o.archived_at',
  'o.is_demo',
] as const;
type OrganizationRow = {
  id: string;
  name: string;
  display_name: string;
  description: string;
  logo_url: string | null;
  archived_at: Date | null;
  is_demo: boolean;
  moved_to?: string | null;
};

/** The organizations that an account belongs to, by name; with `invitations` also those with an open invitation. */
export async function listOrganizationsOf(
  { database, secrets }: { database: Database; secrets: Secrets },
  account: AccountEmail,
  invitations: boolean,
): Promise<Organization[]> {
  return database.withAccount(account, async (tx) => {
    const joined = await listJoined(tx, account.id);
    return invitations ? [...joined, ...(await listInvited(tx, secrets, account))] : joined;
  });
}

async function listJoined(tx: Tx, accountId: string): Promise<Organization[]> {
  const rows = await tx.db
    .selectFrom('member as m')
    .innerJoin('organization as o', 'o.id', 'm.org_id')
    .where('m.account_id', '=', accountId)
    .where('m.status', '<>', 'deactivated')
    .where((where) => where.or([where('o.archived_at', 'is', null), where('m.role_id', '=', 'rol_owner')]))
    .leftJoin('moved_organization as v', 'v.id', 'o.id')
    .select([...columns, 'm.role_id', 'v.address as moved_to'])
    .orderBy('o.display_name')
    .orderBy('o.id')
    .execute();
  const owners = await tx.query<{ org_id: string; id: string; email: string }>({
    name: 'organizations.owners',
    text: `select o.org_id, a.id, a.email from owners_of_own_organizations() o
           join account a on a.id = o.account_id order by a.email, a.id`,
    values: [],
  });
  return rows.map((row) =>
    shapeOf(
      row,
      row.role_id as RoleId,
      owners.filter((owner) => owner.org_id === row.id),
    ),
  );
}

// Only members see the owners of an organization; invited accounts do not.
async function listInvited(tx: Tx, secrets: Secrets, { id, email }: AccountEmail): Promise<Organization[]> {
  const rows = await tx.db
    .selectFrom('invitation as i')
    .innerJoin('organization as o', 'o.id', 'i.org_id')
    .leftJoin('account as a', 'a.id', 'i.invited_by')
    .where('i.email', '=', email.toLowerCase())
    .where('i.accepted_at', 'is', null)
    .where('i.declined_at', 'is', null)
    .where('i.revoked_at', 'is', null)
    .where('i.expires_at', '>', new Date())
    .where('o.archived_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('moved_organization as v').whereRef('v.id', '=', 'i.org_id').select('v.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('member as m')
            .whereRef('m.org_id', '=', 'i.org_id')
            .where('m.account_id', '=', id)
            .select('m.org_id'),
        ),
      ),
    )
    .select([...columns, 'i.role_id', 'i.id as invitation_id', 'i.expires_at', 'a.name as invited_by'])
    .orderBy('i.created_at', 'desc')
    .orderBy('i.id')
    .execute();
  return rows.map((row) => ({
    ...shapeOf(row, row.role_id as RoleId, []),
    invitation: {
      invitation_id: row.invitation_id,
      ticket_id: invitationTicketOf(secrets, row.id, row.invitation_id),
      invitedBy: row.invited_by,
      expiresAt: row.expires_at.toISOString(),
    },
  }));
}

/** The organization of the actor. */
export async function findOrganization(
  tx: Tx,
  { orgId, roleId }: Pick<Actor, 'orgId' | 'roleId'>,
): Promise<Organization> {
  const row = await tx.db.selectFrom('organization as o').select(columns).where('o.id', '=', orgId).executeTakeFirst();
  if (!row) throw NotFound('Organization');
  const owners = await tx.db
    .selectFrom('member as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .where('m.org_id', '=', orgId)
    .where('m.role_id', '=', 'rol_owner')
    .where('m.status', '<>', 'deactivated')
    .select(['a.id', 'a.email'])
    .orderBy('a.email')
    .orderBy('a.id')
    .execute();
  return shapeOf(row, roleId, owners);
}

/** The time until which an owner may restore an organization that was archived at `archivedAt`. */
export const restorableUntil = (archivedAt: Date): Date =>
  new Date(archivedAt.getTime() + RESTORE_PERIOD_DAYS * 24 * 60 * 60 * 1000);

/** The number of organizations that an account owns, including archived ones. */
export async function countOwnedOrganizations(tx: Tx, accountId: string): Promise<number> {
  const { owned } = await tx.db
    .selectFrom('member')
    .where('account_id', '=', accountId)
    .where('role_id', '=', 'rol_owner')
    .select(({ fn }) => fn.countAll<number>().as('owned'))
    .executeTakeFirstOrThrow();
  return Number(owned);
}

const shapeOf = (row: OrganizationRow, role: RoleId, owners: readonly AccountEmail[]): Organization => ({
  id: row.id,
  name: row.name,
  displayName: row.display_name,
  description: row.description,
  logoUrl: row.logo_url,
  role,
  owners: owners.map((owner) => owner.id),
  ownerEmails: owners.map((owner) => owner.email),
  archivedAt: row.archived_at?.toISOString() ?? null,
  restorableUntil: row.archived_at && restorableUntil(row.archived_at).toISOString(),
  movedTo: row.moved_to ?? null,
  isDemo: row.is_demo,
  invitation: null,
});
