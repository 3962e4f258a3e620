import type { EvidenceRequest } from '@sightline/contract/compliance/auditor-portals.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { AuditAction } from '@sightline/contract/organization/audit-actions.ts';
import { sql } from 'kysely';
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
import { newId } from '#core/ids.ts';
import { secretHash } from '#core/org-secrets.ts';
import type { CookieAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raise } from '../../delivery/notifications/commands.ts';

const MAX_VISIT_MS = 24 * 60 * 60_000;

/**
 * Exchanges the token of a link for the cookie of a visit, which ends with the portal and after a day at most. Throws the same 404 for a
 * wrong token and for a portal that is closed, revoked, or of an archived organization, and 429.
 */
export async function startVisit(
  services: Services,
  caller: { requestId: string; address: string },
  token: string,
): Promise<CookieAnswer<{ portalId: string }>> {
  const { database, people, config } = services;
  const wait = await database.global((tx) =>
    countAttempts(tx, [[ATTEMPT_LIMITS.portalByNetwork, networkOf(caller.address)]]),
  );
  if (wait > 0) throw TooManyAttempts(wait);
  const orgId = organizationOfPortalLink(token);
  if (orgId === undefined) throw NotFound();
  return database.withOrg(orgId, async (tx) => {
    const [portal] = await tx.query<PortalActor['portal']>({
      name: 'portals.enter',
      text: `select r.id, r.name, r.redaction, r.expires_at as "expiresAt", r.person_id as "personId", r.auditor_email as email
             from auditor_portal r join organization o on o.id = r.org_id
             where r.org_id = $1 and (r.token_hash = $2 or r.mailed_hash = $2)
               and r.expires_at > now() and r.revoked_at is null and o.archived_at is null
             for update of r`,
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
      doer: doerOf({ portal, requestId: caller.requestId }),
      entry: {
        action: 'portal.entered',
        subject: { kind: 'portal', id: portal.id },
        data: { name: portal.name },
        personal: personalOf(portal),
      },
    });
    tx.afterCommit(() => services.realtime.tell(orgId, 'orgEvidence', { portalId: portal.id }));
    const secure = usesSecureCookies(config);
    return {
      setCookie: portalVisitCookie(secret, { portalId: portal.id, endsAt, secure }),
      body: { portalId: portal.id },
    };
  });
}

type VisitData = Parameters<typeof recordAuditEntry>[1]['entry']['data'];

/**
 * Records a view in the ledger before the response. Throws 404 if the portal is closed, revoked or without the
 * snapshot, and 429 above the rate limit.
 */
export async function recordView(
  services: Services,
  tx: Tx,
  {
    actor: { portal, orgId, requestId },
    action,
    seen: { snapshot, ...seen },
  }: {
    actor: PortalActor;
    action: Extract<AuditAction, 'portal.viewed' | 'portal.sampled' | 'portal.downloaded'>;
    seen: { snapshot?: string } & NonNullable<VisitData>;
  },
): Promise<void> {
  const wait = await countAttempts(tx, [[ATTEMPT_LIMITS.portalViews, portal.id]]);
  if (wait > 0) throw TooManyAttempts(wait);
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
    doer: doerOf({ portal, requestId }),
    entry: {
      action,
      subject: { kind: 'portal', id: portal.id },
      data: { name: portal.name, ...(snapshot !== undefined && { snapshot }), ...seen },
      personal: personalOf(portal),
    },
  });
  tx.afterCommit(() => services.realtime.tell(orgId, 'orgEvidence', { portalId: portal.id }));
}

/** Stores an evidence request. Throws 429 above fifty a day. */
export function createEvidenceRequest(
  services: Services,
  { portal, orgId, requestId }: PortalActor,
  { control, text }: { control: ControlId | null; text: string },
): Promise<EvidenceRequest> {
  return services.database.withOrg(orgId, async (tx) => {
    const wait = await countAttempts(tx, [[ATTEMPT_LIMITS.portalRequests, portal.id]]);
    if (wait > 0) throw TooManyAttempts(wait);
    const id = newId();
    const { requested_at: requestedAt } = await tx.db
      .insertInto('evidence_request')
      .values({ org_id: orgId, portal_id: portal.id, id, control_id: control, text })
      .returning(sql<Date>`requested_at`.as('requested_at'))
      .executeTakeFirstOrThrow();
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      doer: doerOf({ portal, requestId }),
      entry: {
        action: 'portal.requested',
        subject: { kind: 'portal', id: portal.id },
        data: { name: portal.name, request: id, ...(control !== null && { control }) },
        personal: { ...personalOf(portal), text },
      },
    });
    const { name: auditor } = await tx.db
      .selectFrom('auditor_portal')
      .select('auditor_name as name')
      .where('org_id', '=', orgId)
      .where('id', '=', portal.id)
      .executeTakeFirstOrThrow();
    // The text stays in the portal, because notifications are emailed and sent to other systems.
    const portalRef = { id: portal.id, name: portal.name };
    await raise(services, tx, orgId, {
      doer: doerOf({ portal, requestId }),
      news: {
        type: 'portal.requested',
        portal: portalRef,
        auditor,
        control,
      },
    });
    tx.afterCommit(() => services.realtime.tell(orgId, 'orgEvidence', { portalId: portal.id }));
    return { id, control, text, requestedAt: requestedAt.toISOString(), answer: null, answeredAt: null };
  });
}

const doerOf = ({ portal, requestId }: Pick<PortalActor, 'portal' | 'requestId'>) =>
  ({ auditor: true, personId: portal.personId, requestId }) as const;

/** The ledger stores a commitment under the key of the auditor. */
const personalOf = ({ email }: PortalActor['portal']) => (email === null ? {} : { email });
