import { programName } from '@sightline/contract/identity/extensions.ts';
import { sql } from 'kysely';
import { forEachOrganizationOfAccount } from '#core/account-audit.ts';
import type { AccountActor } from '#core/actor.ts';
import { type AuditActor, recordAuditEntry } from '#core/audit.ts';
import { NotFound } from '#core/errors.ts';
import { secretHash } from '#core/org-secrets.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raiseNotifications } from '../../delivery/notifications/commands.ts';
import { findEligibleMember } from './queries.ts';
import { grantsEnded } from './topics.ts';

interface GrantSelection {
  accountId: string;
  /** The ID of one grant. Without it or `hash`, all grants of the account in the organization end. */
  id?: string;
  hash?: Buffer;
  /** The reason, unless the sign-out was requested directly. */
  reason?: string;
}

/**
 * Signs out extensions of an account in an organization and returns their number. From the commit on, their refresh and
 * access tokens are rejected, their sockets are disconnected, and they no longer count as presence. Ending all grants
 * also deletes unredeemed codes.
 */
export async function endGrants(
  services: Services,
  tx: Tx,
  orgId: string,
  { actor, which: { accountId, id, hash, reason } }: { actor: AuditActor; which: GrantSelection },
): Promise<number> {
  const { people, endedSessions, realtime } = services;
  const all = id === undefined && hash === undefined;
  if (all) {
    await tx.db.deleteFrom('extension_code').where('org_id', '=', orgId).where('account_id', '=', accountId).execute();
  }
  const ended = await tx.db
    .updateTable('extension_grant')
    .set({ revoked_at: sql`now()` })
    .where('org_id', '=', orgId)
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .$if(hash !== undefined, (query) => query.where('hash', '=', hash ?? Buffer.alloc(0)))
    .returning(['id', 'side', 'type', 'device'])
    .execute();
  if (ended.length === 0) return 0;
  const ids = ended.map((grant) => grant.id);
  await tx.db
    .insertInto('extension_ended')
    .values(ids.map((grantId) => ({ grant_id: grantId })))
    .execute();
  await services.topics.publish({ services, tx, orgId }, grantsEnded, { accountId, grantIds: ids });
  for (const grant of ended) {
    await recordAuditEntry(tx, {
      people,
      orgId,
      actor,
      entry: {
        action: grant.side === 'mcp' ? 'mcp_client.disconnected' : 'extension.signed_out',
        subject: { kind: 'account', id: accountId },
        data: {
          extension: grant.id,
          side: grant.side,
          program: programName(grant.type),
          ...(reason !== undefined && { reason }),
        },
        ...(grant.device !== '' && { personal: { device: grant.device } }),
      },
    });
  }
  // Notifies neither the actor nor a former member.
  await raiseNotifications(services, tx, orgId, {
    actor,
    notifications: ended
      .filter(({ side }) => side !== 'mcp')
      .map((grant) => ({
        type: 'extension.disconnected' as const,
        accountId,
        program: programName(grant.type),
        silentSince: null,
      })),
  });
  tx.afterCommit(() => {
    endedSessions.add(ids);
    for (const grantId of ids) realtime.cutSession(grantId);
    realtime.notifyOrganization(orgId, 'orgAudit', {});
  });
  return ended.length;
}

/** The connection of an MCP client that a person approved. */
export interface McpConnection {
  id: string;
  orgId: string;
  accountId: string;
  sessionId: string | undefined;
  /** The OAuth client ID of a built-in client, or `mcp` for one that registered itself. */
  type: string;
  /** The name that a client gave itself; empty for a built-in one. */
  name: string;
}

/** Records the connection of an MCP client when its first token is issued. Further tokens change nothing. */
export async function recordMcpConnection(
  { database, people, realtime }: Services,
  { id, orgId, accountId, sessionId, type, name }: McpConnection,
  origin: { requestId: string; address: string },
): Promise<void> {
  await database.withOrg(orgId, async (tx) => {
    const entrant = await findEligibleMember(tx, orgId, accountId, { archived: true });
    if (!entrant) return;
    const inserted = await tx.db
      .insertInto('extension_grant')
      .values({
        org_id: orgId,
        id,
        account_id: accountId,
        side: 'mcp',
        type,
        device: name,
        session_id: sessionId ?? null,
        // Its refresh tokens are those of the identity provider.
        hash: secretHash(id),
        last_used_at: sql<Date>`now()`,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute();
    if (inserted.length === 0) return;
    await recordAuditEntry(tx, {
      people,
      orgId,
      actor: { accountId, personId: entrant.personId, ...origin },
      entry: {
        action: 'mcp_client.connected',
        subject: { kind: 'account', id: accountId },
        data: { extension: id, program: programName(type) },
        ...(name !== '' && { personal: { device: name } }),
      },
    });
    tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgAudit', {}));
  });
}

/** Ends the grants in every organization of an account. `tx` has no organization. */
export const revokeExtensionGrants = (
  services: Services,
  tx: Tx,
  { accountId, actorOf, reason }: { accountId: string; actorOf: (personId: string) => AuditActor; reason: string },
): Promise<void> =>
  forEachOrganizationOfAccount(tx, accountId, accountId, async ({ orgId, personId }) => {
    await endGrants(services, tx, orgId, { actor: actorOf(personId), which: { accountId, reason } });
  });

/** Signs out one extension of the caller. Throws 404 for an extension of another account. */
export async function signOutExtension(services: Services, actor: AccountActor, id: string): Promise<null> {
  const { accountId, requestId, address } = actor;
  return services.database.global(async (tx) => {
    let ended = 0;
    await forEachOrganizationOfAccount(tx, accountId, accountId, async ({ orgId, personId }) => {
      ended += await endGrants(services, tx, orgId, {
        actor: { accountId, personId, requestId, address },
        which: { accountId, id },
      });
    });
    if (ended === 0) throw NotFound('Extension');
    return null;
  });
}
