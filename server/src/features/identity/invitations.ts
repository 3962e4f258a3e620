import { createHash } from 'node:crypto';
import type { RoleId } from '@sightline/contract/permissions.ts';
import { sql } from 'kysely';
import type { AccountActor } from '#core/actor.ts';
import { record } from '#core/audit.ts';
import { Forbidden, NotFound, Refusal } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { openTicket } from './queries.ts';

export interface Invitation {
  orgId: string;
  id: string;
  /** Lower case. */
  email: string;
  roleId: RoleId;
  organization: string;
  state: 'open' | 'accepted' | 'over';
}

/** SHA-256, the only form in which a token is kept. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Finds an invitation by the token in its mail or by its ticket. */
export async function maybeInvitation(services: Services, token: string): Promise<Invitation | undefined> {
  const key = await keyOf(services, token);
  return key && services.database.withOrg(key.orgId, (tx) => read(tx, key, false));
}

/**
 * Makes the account a member as its invitation says, once. Throws 404 for no invitation, 410 when it is over,
 * 403 when it was sent to another address or the membership was deactivated. An accepted one of one's own is fine.
 */
export async function acceptInvitation(services: Services, account: AccountActor, token: string): Promise<Invitation> {
  const key = await keyOf(services, token);
  if (!key) throw NotFound('The invitation');
  return services.database.withOrg(key.orgId, async (tx) => {
    const invitation = await read(tx, key, true);
    if (!invitation) throw NotFound('The invitation');
    if (invitation.email !== account.email.toLowerCase()) {
      throw Forbidden('This invitation was sent to another email address.');
    }
    const member = await tx.db
      .selectFrom('member')
      .select('status')
      .where('org_id', '=', key.orgId)
      .where('account_id', '=', account.accountId)
      .executeTakeFirst();
    if (member?.status === 'deactivated') {
      throw Forbidden('Your membership was deactivated. Ask an Account Owner to reinstate it.');
    }
    if (invitation.state !== 'open') {
      if (member) return invitation;
      throw new Refusal('invitation_expired', 'This invitation has expired or was used already.');
    }
    await markAccepted(tx, invitation);
    if (!member) await join(services, tx, account, invitation);
    return invitation;
  });
}

async function keyOf(
  { secrets, database }: Services,
  token: string,
): Promise<{ orgId: string; id?: string; hash?: Buffer } | undefined> {
  const [orgId, id] = openTicket(secrets, token)?.split(' ') ?? [];
  if (orgId !== undefined && id !== undefined) return { orgId, id };
  const hash = hashOf(token);
  const [row] = await database.global((tx) =>
    tx.query<{ org: string | null }>({
      name: 'invitation.org',
      text: 'select org_of_invitation($1) as org',
      values: [hash],
    }),
  );
  return row?.org ? { orgId: row.org, hash } : undefined;
}

async function read(
  { db }: Tx,
  key: { orgId: string; id?: string; hash?: Buffer },
  lock: boolean,
): Promise<Invitation | undefined> {
  const row = await db
    .selectFrom('invitation as i')
    .innerJoin('organization as o', 'o.id', 'i.org_id')
    .where('i.org_id', '=', key.orgId)
    .$if(key.id !== undefined, (query) => query.where('i.id', '=', key.id ?? ''))
    .$if(key.hash !== undefined, (query) => query.where('i.token_hash', '=', key.hash ?? Buffer.alloc(0)))
    .where('o.archived_at', 'is', null)
    .$if(lock, (query) => query.forUpdate('i'))
    .select(['i.id', 'i.email', 'i.role_id', 'i.accepted_at', 'o.display_name'])
    .select(
      sql<boolean>`i.declined_at is null and i.revoked_at is null and i.accepted_at is null and i.expires_at > now()`.as(
        'open',
      ),
    )
    .executeTakeFirst();
  return (
    row && {
      orgId: key.orgId,
      id: row.id,
      email: row.email.toLowerCase(),
      roleId: row.role_id as RoleId,
      organization: row.display_name,
      state: row.open ? 'open' : row.accepted_at ? 'accepted' : 'over',
    }
  );
}

const markAccepted = ({ db }: Tx, { orgId, id }: Invitation) =>
  db
    .updateTable('invitation')
    .set({ accepted_at: sql`now()` })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();

async function join(services: Services, tx: Tx, account: AccountActor, invitation: Invitation): Promise<void> {
  const { people, memberships, realtime } = services;
  const { orgId, roleId } = invitation;
  const { accountId } = account;
  await tx.db
    .insertInto('member')
    .values({ org_id: orgId, account_id: accountId, role_id: roleId, status: 'accepted' })
    .execute();
  const { name, picture } = await tx.db
    .selectFrom('account')
    .select(['name', 'picture'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const names = [{ kind: 'account', value: accountId } as const, { kind: 'email', value: account.email } as const];
  const [personId = ''] = await people.resolve(tx, orgId, [{ names, display: name, picture, source: 'sightline' }]);
  await record(
    tx,
    people,
    orgId,
    { ...account, personId },
    {
      action: 'member.joined',
      subject: { kind: 'member', id: accountId },
      data: { role: roleId, invitation: invitation.id },
      personal: { email: account.email },
    },
  );
  tx.afterCommit(() => {
    memberships.forget(accountId);
    realtime.tell(orgId, 'orgMembers', { accountId });
  });
}
