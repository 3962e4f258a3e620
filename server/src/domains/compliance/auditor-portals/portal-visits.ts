import type { AuditAction } from '@sightline/contract/organization/audit-actions.ts';
import { ATTEMPT_LIMITS, countAttempts, networkOf } from '#core/attempts.ts';
import { recordAuditEntry } from '#core/audit.ts';
import {
  createPortalVisitToken,
  organizationOfPortalLink,
  type PortalActor,
  portalVisitCookie,
} from '#core/auditor-portals.ts';
import { usesSecureCookies } from '#core/cookies.ts';
import { NotFound, TooManyAttempts } from '#core/errors.ts';
import { secretHash } from '#core/org-secrets.ts';
import type { CookieAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

const MAX_VISIT_MS = 24 * 60 * 60_000;

/**
 * Exchanges the token of a portal link for the cookie of a visit, which ends with the portal and after a day at most. Throws
 * the same 404 for an invalid token and for a portal that is expired, revoked, or of an archived organization. Throws 429
 * above the rate limit of the network.
 */
export async function startVisit(
  services: Services,
  caller: { requestId: string; address: string },
  token: string,
): Promise<CookieAnswer<{ portalId: string }>> {
  const { database, people, config } = services;
  const waitSeconds = await database.global((tx) =>
    countAttempts(tx, [[ATTEMPT_LIMITS.portalByNetwork, networkOf(caller.address)]]),
  );
  if (waitSeconds > 0) throw TooManyAttempts(waitSeconds);
  const orgId = organizationOfPortalLink(token);
  if (orgId === undefined) throw NotFound();
  return database.withOrg(orgId, async (tx) => {
    const [portal] = await tx.query<PortalActor['portal']>({
      name: 'portals.enter',
      text: `select p.id, p.name, p.redaction, p.people, p.expires_at as "expiresAt", p.person_id as "personId", p.auditor_email as email
             from auditor_portal p join organization o on o.id = p.org_id
             where p.org_id = $1 and (p.token_hash = $2 or p.mailed_hash = $2)
               and p.expires_at > now() and p.revoked_at is null and o.archived_at is null
             for update of p`,
      values: [orgId, secretHash(token)],
    });
    if (!portal) throw NotFound();
    const { secret, hash } = createPortalVisitToken(orgId);
    const endsAt = new Date(Math.min(portal.expiresAt.getTime(), Date.now() + MAX_VISIT_MS));
    await tx.db
      .insertInto('auditor_portal_session')
      .values({ org_id: orgId, hash, portal_id: portal.id, expires_at: endsAt })
      .execute();
    await recordAuditEntry(tx, {
      people,
      orgId,
      actor: actorOf({ portal, requestId: caller.requestId }),
      entry: {
        action: 'portal.entered',
        subject: { kind: 'portal', id: portal.id },
        data: { name: portal.name },
        personal: auditorPersonalDataOf(portal),
      },
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgEvidence', { portalId: portal.id }));
    const secure = usesSecureCookies(config);
    return {
      setCookie: portalVisitCookie(secret, { portalId: portal.id, endsAt, secure }),
      body: { portalId: portal.id },
    };
  });
}

type AuditEntryData = Parameters<typeof recordAuditEntry>[1]['entry']['data'];

/**
 * Records a view in the ledger before the response. Throws 404 if the portal is expired, revoked or does not contain the
 * snapshot, and 429 above the rate limit.
 */
export async function recordView(
  services: Services,
  tx: Tx,
  {
    actor: { portal, orgId, requestId },
    action,
    viewDetails: { snapshot, ...viewDetails },
  }: {
    actor: PortalActor;
    action: Extract<AuditAction, 'portal.viewed' | 'portal.sampled' | 'portal.downloaded'>;
    viewDetails: { snapshot?: string } & NonNullable<AuditEntryData>;
  },
): Promise<void> {
  const waitSeconds = await countAttempts(tx, [[ATTEMPT_LIMITS.portalViews, portal.id]]);
  if (waitSeconds > 0) throw TooManyAttempts(waitSeconds);
  const [row] = await tx.query({
    name: 'portals.view',
    text: `update auditor_portal set views = views + 1, last_view_at = now()
           where org_id = $1 and id = $2 and expires_at > now() and revoked_at is null
             and ($3::uuid is null or exists (
               select from auditor_portal_snapshot i where i.org_id = $1 and i.portal_id = $2 and i.snapshot_id = $3))
           returning id`,
    values: [orgId, portal.id, snapshot ?? null],
  });
  if (!row) throw NotFound();
  await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor: actorOf({ portal, requestId }),
    entry: {
      action,
      subject: { kind: 'portal', id: portal.id },
      data: { name: portal.name, ...(snapshot !== undefined && { snapshot }), ...viewDetails },
      personal: auditorPersonalDataOf(portal),
    },
  });
  tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgEvidence', { portalId: portal.id }));
}

/** Counts a change of an auditor. Throws 429 over the limit. */
export async function countWriting(tx: Tx, portalId: string): Promise<void> {
  const waitSeconds = await countAttempts(tx, [[ATTEMPT_LIMITS.portalChanges, portalId]]);
  if (waitSeconds > 0) throw TooManyAttempts(waitSeconds);
}

/** Locks the portal of an auditor until the end of the transaction. Throws 404 if it was revoked or expired meanwhile. */
export async function lockOpenPortal(tx: Tx, { orgId, portal }: PortalActor): Promise<void> {
  const [row] = await tx.query({
    name: 'portals.lock-open',
    text: `select id from auditor_portal where org_id = $1 and id = $2 and expires_at > now() and revoked_at is null for update`,
    values: [orgId, portal.id],
  });
  if (!row) throw NotFound();
}

/** The visitor as the actor of audit entries. */
export const actorOf = ({ portal, requestId }: Pick<PortalActor, 'portal' | 'requestId'>) =>
  ({ auditor: true, personId: portal.personId, requestId }) as const;

/**
 * The personal data of an audit entry: the email address of the auditor. The ledger stores only a commitment to it, under
 * the key of that person.
 */
export const auditorPersonalDataOf = ({ email }: PortalActor['portal']) => (email === null ? {} : { email });
