import {
  MAX_PORTAL_DAYS,
  type createPortal as openCall,
  type Portal,
} from '@sightline/contract/compliance/auditor-portals.ts';
import { normalizeInvitationAddress } from '@sightline/contract/core/addresses.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { createPortalLinkToken } from '#core/auditor-portals.ts';
import { Conflict, Invalid, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { findSnapshotRow } from '../snapshots/queries.ts';
import { findPortal } from './queries.ts';
import { carryRequests, requireSameAuditor } from './roll-forward.ts';

const dayMs = 24 * 60 * 60_000;

/**
 * Opens a portal for ready snapshots and returns its link, which cannot be retrieved later. Throws 400 for an expiry in
 * the past or more than 90 days ahead, 404 for an unknown snapshot, and 409 for one that is not ready.
 */
export function openPortal(
  services: Services,
  actor: Actor,
  { name, auditor, snapshots, redaction, people: naming, rollForwardFrom, expiresAt }: z.output<typeof openCall.body>,
): Promise<{ portal: Portal; link: string }> {
  const { database, people, jobs, realtime, config } = services;
  const { orgId } = actor;
  const closes = checkedClosing(expiresAt);
  const email = checkedAddress(auditor.email);
  if (redaction !== 'none' && naming === 'names') throw Invalid('people', 'cannot be names with redacted data');
  const { secret, hash } = createPortalLinkToken(orgId);
  return database.withOrg(orgId, async (tx) => {
    const chosen = [...new Set(snapshots)];
    for (const id of chosen) {
      if ((await findSnapshotRow(tx, orgId, id)).state !== 'ready') throw Conflict('A snapshot is not ready.');
    }
    if (rollForwardFrom !== null) await requireSameAuditor(tx, orgId, rollForwardFrom, { name: auditor.name, email });
    const personId = email === null ? null : await personOf(services, tx, orgId, email);
    const id = newId();
    await tx.db
      .insertInto('auditor_portal')
      .values({
        org_id: orgId,
        id,
        name,
        auditor_name: auditor.name,
        auditor_email: email,
        person_id: personId,
        redaction,
        people: naming,
        earlier_portal_id: rollForwardFrom,
        token_hash: hash,
        created_by: actor.accountId,
        expires_at: closes,
      })
      .execute();
    await tx.db
      .insertInto('auditor_portal_snapshot')
      .values(chosen.map((snapshot_id) => ({ org_id: orgId, portal_id: id, snapshot_id })))
      .execute();
    const carried = rollForwardFrom === null ? null : await carryRequests(tx, orgId, { from: rollForwardFrom, to: id });
    await recordAuditEntry(tx, {
      people,
      orgId,
      actor,
      entry: {
        action: 'portal.opened',
        subject: { kind: 'portal', id },
        data: {
          name,
          snapshots: chosen,
          redaction,
          people: naming,
          rollForwardFrom,
          ...(carried && { carriedRequests: carried.requests, carriedFiles: carried.files }),
          expiresAt: closes.toISOString(),
        },
        personal: { name: auditor.name, ...(email !== null && { email }) },
      },
    });
    if (email !== null) await jobs.enqueue(tx, 'portals.mail', { orgId, portalId: id }, { key: id });
    await jobs.enqueue(tx, 'portals.close', { orgId, portalId: id }, { key: id, startAfter: closes });
    tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgEvidence', { portalId: id }));
    return { portal: await findPortal(tx, orgId, id), link: portalLink(config.PUBLIC_URL, secret) };
  });
}

/** Puts the token into the fragment: browsers do not send it, so it appears in no log and no Referer. */
export const portalLink = (site: string, token: string): string => `${new URL('/portal', site).href}#${token}`;

/** Revokes a portal and ends its visits. A revoked or expired portal is unchanged. */
export function revokePortal(services: Services, actor: Actor, id: string): Promise<Portal> {
  const { orgId } = actor;
  return services.database.withOrg(orgId, async (tx) => {
    const row = await lockPortal(tx, orgId, id);
    if (row.revoked_at !== null || row.expires_at.getTime() <= Date.now()) return findPortal(tx, orgId, id);
    await tx.db
      .updateTable('auditor_portal')
      .set({ revoked_at: sql<Date>`now()` })
      .where('org_id', '=', orgId)
      .where('id', '=', id)
      .execute();
    await tx.db.deleteFrom('auditor_portal_session').where('org_id', '=', orgId).where('portal_id', '=', id).execute();
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'portal.revoked',
        subject: { kind: 'portal', id },
        data: { name: row.name },
      },
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgEvidence', { portalId: id }));
    return findPortal(tx, orgId, id);
  });
}

/** Locks a portal. Throws 404. */
export async function lockPortal({ db }: Tx, orgId: string, id: string) {
  const row = await db
    .selectFrom('auditor_portal')
    .select(['name', 'revoked_at', 'expires_at'])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw NotFound('Portal');
  return row;
}

function checkedClosing(text: string): Date {
  const at = new Date(text);
  const away = at.getTime() - Date.now();
  if (away <= 0) throw Invalid('expiresAt', 'must be in the future');
  if (away > MAX_PORTAL_DAYS * dayMs) throw Invalid('expiresAt', `must be at most ${MAX_PORTAL_DAYS} days from now`);
  return at;
}

function checkedAddress(given: string | null): string | null {
  if (given === null) return null;
  const address = normalizeInvitationAddress(given);
  if (address === undefined) throw Invalid('auditor.email', 'is not an email address');
  return address;
}

/** Resolves the address to a person. The key of the person protects the ledger entries, so that erasure covers them. */
async function personOf({ people }: Services, tx: Tx, orgId: string, email: string): Promise<string> {
  const claim = { names: [{ kind: 'email', value: email }], display: null, picture: null, source: 'portal' } as const;
  const [personId] = await people.resolve(tx, orgId, [claim]);
  if (personId === undefined) throw new Error('An email address must resolve to a person');
  return personId;
}
