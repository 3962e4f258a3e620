import { createHash } from 'node:crypto';
import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { sql } from 'kysely';
import type { Secrets } from '#core/secrets.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

export interface Invitation {
  orgId: string;
  id: string;
  /** In lower case. */
  email: string;
  roleId: RoleId;
  organization: string;
  /** The account that sent the invitation. */
  invitedBy: string;
  state: 'open' | 'accepted' | 'over';
}

/**
 * An invitation with the secret that was presented: the token of its email, which was sent only to its address, or its
 * ticket.
 */
export interface PresentedInvitation extends Invitation {
  by: 'mail' | 'ticket';
}

/** Identifies an invitation by its ID or by the hash of the token in its email. */
export type InvitationKey = { orgId: string } & ({ id: string } | { hash: Buffer });

const ticketLocation = { org: '-', table: 'invitation', field: 'ticket' };

/** A ticket replaces the secret token of an invitation, which is not stored. Only the invited person can use it. */
export const invitationTicketOf = (secrets: Secrets, orgId: string, invitationId: string): string =>
  secrets.seal(ticketLocation, Buffer.from(`${orgId} ${invitationId}`)).toString('base64url');

/** The SHA-256 hash of a token; the token itself is not stored. */
export const invitationTokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Finds an invitation by the token in its email or by its ticket. */
export async function findInvitation(services: Services, token: string): Promise<PresentedInvitation | undefined> {
  const key = await findInvitationKey(services, token);
  const invitation = key && (await services.database.withOrg(key.orgId, (tx) => readInvitation(tx, key)));
  return invitation && { ...invitation, by: 'hash' in key ? 'mail' : 'ticket' };
}

/** The key of the invitation of a token or ticket; the invitation may no longer exist. */
export async function findInvitationKey(
  { secrets, database }: Services,
  token: string,
): Promise<InvitationKey | undefined> {
  const [orgId, id] = openTicket(secrets, token)?.split(' ') ?? [];
  if (orgId !== undefined && id !== undefined) return { orgId, id };
  const hash = invitationTokenHash(token);
  const [row] = await database.global((tx) =>
    tx.query<{ org: string | null }>({
      name: 'invitation.org',
      text: 'select org_of_invitation($1) as org',
      values: [hash],
    }),
  );
  return row?.org ? { orgId: row.org, hash } : undefined;
}

/**
 * The organization ID and invitation ID of a ticket, separated by a space; undefined for an email token or an invalid
 * value.
 */
function openTicket(secrets: Secrets, ticket: string): string | undefined {
  try {
    return secrets.open(ticketLocation, Buffer.from(ticket, 'base64url')).toString();
  } catch {
    return undefined;
  }
}

/** Reads the invitation of an organization that is not archived. `lock` prevents concurrent changes. */
export async function readInvitation({ db }: Tx, key: InvitationKey, lock = false): Promise<Invitation | undefined> {
  const row = await db
    .selectFrom('invitation as i')
    .innerJoin('organization as o', 'o.id', 'i.org_id')
    .where('i.org_id', '=', key.orgId)
    .where((where) => ('id' in key ? where('i.id', '=', key.id) : where('i.token_hash', '=', key.hash)))
    .where('o.archived_at', 'is', null)
    .$if(lock, (query) => query.forUpdate('i'))
    .select(['i.id', 'i.email', 'i.role_id', 'i.accepted_at', 'i.invited_by', 'o.display_name'])
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
      invitedBy: row.invited_by,
      roleId: row.role_id as RoleId,
      organization: row.display_name,
      state: row.open ? 'open' : row.accepted_at ? 'accepted' : 'over',
    }
  );
}
