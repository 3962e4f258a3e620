import type { EvidenceRequest, requestEvidence } from '@sightline/contract/compliance/portal-requests.ts';
import type { AuditAction } from '@sightline/contract/organization/audit-actions.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { ATTEMPT_LIMITS, countAttempts } from '#core/attempts.ts';
import { recordAuditEntry } from '#core/audit.ts';
import type { PortalActor } from '#core/auditor-portals.ts';
import { Conflict, Invalid, NotFound, TooManyAttempts } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raiseNotifications } from '../../delivery/notifications/commands.ts';
import { attachmentsOfRequests } from './attachments.ts';
import { lockPortal } from './commands.ts';
import { actorOf, auditorPersonalDataOf, lockOpenPortal } from './portal-visits.ts';

interface RequestKey {
  orgId: string;
  portalId: string;
  requestId: string;
}

/** Stores an evidence request of an auditor and notifies the organization. Throws 429 above fifty messages a day. */
export function createEvidenceRequest(
  services: Services,
  actor: PortalActor,
  { control, text, dueOn }: z.output<typeof requestEvidence.body>,
): Promise<EvidenceRequest> {
  const { portal, orgId } = actor;
  if (dueOn !== null && dueOn < new Date().toISOString().slice(0, 10))
    throw Invalid('dueOn', 'must not be in the past');
  return services.database.withOrg(orgId, async (tx) => {
    await countRequest(tx, portal.id);
    await lockOpenPortal(tx, actor);
    const id = newId();
    await tx.db
      .insertInto('evidence_request')
      .values({ org_id: orgId, portal_id: portal.id, id, control_id: control, text, due_on: dueOn })
      .execute();
    await recordRequest(services, tx, actor, {
      action: 'portal.requested',
      data: { request: id, ...(control !== null && { control }), ...(dueOn !== null && { dueOn }) },
      text,
    });
    await notify(services, tx, actor, control);
    return findRequest(tx, { orgId, portalId: portal.id, requestId: id });
  });
}

/** Adds a message of the auditor and notifies the organization. Throws 404, 409 for a closed request, and 429. */
export function replyToRequest(
  services: Services,
  actor: PortalActor,
  { requestId, text }: { requestId: string; text: string },
): Promise<EvidenceRequest> {
  const { portal, orgId } = actor;
  const key = { orgId, portalId: portal.id, requestId };
  return services.database.withOrg(orgId, async (tx) => {
    await countRequest(tx, portal.id);
    await lockOpenPortal(tx, actor);
    const { control } = await requireUnclosed(tx, key);
    await insertMessage(tx, key, { text, sentBy: null });
    await recordRequest(services, tx, actor, {
      action: 'portal.replied',
      data: { request: requestId, ...(control !== null && { control }) },
      text,
    });
    await notify(services, tx, actor, control);
    return findRequest(tx, key);
  });
}

/** Closes a request for the auditor. Throws 404, and 409 for a closed one. */
export function closeRequest(services: Services, actor: PortalActor, requestId: string): Promise<EvidenceRequest> {
  const { portal, orgId } = actor;
  const key = { orgId, portalId: portal.id, requestId };
  return services.database.withOrg(orgId, async (tx) => {
    await lockOpenPortal(tx, actor);
    const { control } = await requireUnclosed(tx, key);
    await tx.query({
      name: 'portals.close-request',
      text: `update evidence_request set closed_at = now(), waits = false
             where org_id = $1 and portal_id = $2 and id = $3`,
      values: [orgId, portal.id, requestId],
    });
    await recordRequest(services, tx, actor, {
      action: 'portal.request_closed',
      data: { request: requestId, ...(control !== null && { control }) },
      text: null,
    });
    return findRequest(tx, key);
  });
}

/** Answers a request for the organization. Throws 404, and 409 for a closed one. */
export function saveEvidenceAnswer(
  services: Services,
  actor: Actor,
  { portalId, requestId, text }: { portalId: string; requestId: string; text: string },
): Promise<EvidenceRequest> {
  const { orgId } = actor;
  const key = { orgId, portalId, requestId };
  return services.database.withOrg(orgId, async (tx) => {
    const { name } = await lockPortal(tx, orgId, portalId);
    const { control } = await requireUnclosed(tx, key);
    await insertMessage(tx, key, { text, sentBy: actor.accountId });
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'portal.answered',
        subject: { kind: 'portal', id: portalId },
        data: { name, request: requestId, ...(control !== null && { control }) },
        personal: { answer: text },
      },
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgEvidence', { portalId }));
    return findRequest(tx, key);
  });
}

async function countRequest(tx: Tx, portalId: string): Promise<void> {
  const waitSeconds = await countAttempts(tx, [[ATTEMPT_LIMITS.portalRequests, portalId]]);
  if (waitSeconds > 0) throw TooManyAttempts(waitSeconds);
}

/** Returns the control of a request. Throws 404, and 409 for a closed request. */
async function requireUnclosed(
  tx: Tx,
  { orgId, portalId, requestId }: RequestKey,
): Promise<Pick<EvidenceRequest, 'control'>> {
  const [row] = await tx.query<{ control: EvidenceRequest['control']; isClosed: boolean }>({
    name: 'portals.lock-request',
    text: `select control_id as control, closed_at is not null as "isClosed" from evidence_request
           where org_id = $1 and portal_id = $2 and id = $3 for update`,
    values: [orgId, portalId, requestId],
  });
  if (!row) throw NotFound('Request');
  if (row.isClosed) throw Conflict('The auditor closed this request.');
  return row;
}

async function insertMessage(
  tx: Tx,
  { orgId, portalId, requestId }: RequestKey,
  { text, sentBy }: { text: string; sentBy: string | null },
): Promise<void> {
  const side = sentBy === null ? 'auditor' : 'organization';
  await tx.db
    .insertInto('evidence_message')
    .values({ org_id: orgId, portal_id: portalId, request_id: requestId, id: newId(), side, text, sent_by: sentBy })
    .execute();
  await tx.query({
    name: 'portals.request-waits',
    text: 'update evidence_request set waits = $4 where org_id = $1 and portal_id = $2 and id = $3',
    values: [orgId, portalId, requestId, side === 'auditor'],
  });
}

/** Records what the auditor did. `text` is a commitment in the ledger. */
async function recordRequest(
  services: Services,
  tx: Tx,
  { portal, orgId, requestId }: PortalActor,
  { action, data, text }: { action: AuditAction; data: Record<string, string>; text: string | null },
): Promise<void> {
  await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor: actorOf({ portal, requestId }),
    entry: {
      action,
      subject: { kind: 'portal', id: portal.id },
      data: { name: portal.name, ...data },
      personal: { ...auditorPersonalDataOf(portal), ...(text !== null && { text }) },
    },
  });
  tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgEvidence', { portalId: portal.id }));
}

/** The text stays in the portal, because notifications are emailed and sent to other systems. */
async function notify(
  services: Services,
  tx: Tx,
  { portal, orgId, requestId }: PortalActor,
  control: EvidenceRequest['control'],
): Promise<void> {
  const { name: auditor } = await tx.db
    .selectFrom('auditor_portal')
    .select('auditor_name as name')
    .where('org_id', '=', orgId)
    .where('id', '=', portal.id)
    .executeTakeFirstOrThrow();
  await raiseNotifications(services, tx, orgId, {
    actor: actorOf({ portal, requestId }),
    notifications: [{ type: 'portal.requested', portal: { id: portal.id, name: portal.name }, auditor, control }],
  });
}

interface RequestRow extends Record<string, unknown> {
  id: string;
  control: EvidenceRequest['control'];
  text: string;
  requestedAt: Date;
  isCarriedForward: boolean;
  dueOn: string | null;
  state: EvidenceRequest['state'];
  isOverdue: boolean;
  messages: { id: string; side: 'auditor' | 'organization'; text: string; sentAt: string }[];
}

async function findRequest(tx: Tx, { orgId, portalId, requestId }: RequestKey): Promise<EvidenceRequest> {
  const found = (await listRequests(tx, orgId, portalId)).find(({ id }) => id === requestId);
  if (!found) throw NotFound('Request');
  return found;
}

/** Lists the evidence requests of a portal with their messages and files, newest first. */
export async function listRequests(tx: Tx, orgId: string, portalId: string): Promise<EvidenceRequest[]> {
  const rows = await tx.query<RequestRow>({
    name: 'portals.requests',
    text: `select q.id, q.control_id as control, q.text, q.requested_at as "requestedAt", q.due_on::text as "dueOn", q.carried_from is not null as "isCarriedForward",
             case when q.closed_at is not null then 'closed' when q.waits then 'open' else 'answered' end as state,
             coalesce(q.waits and q.due_on < (now() at time zone 'utc')::date, false) as "isOverdue",
             coalesce((select jsonb_agg(jsonb_build_object('id', m.id, 'side', m.side, 'text', m.text, 'sentAt', m.sent_at)
                         order by m.sent_at, m.id)
                       from evidence_message m
                       where m.org_id = q.org_id and m.portal_id = q.portal_id and m.request_id = q.id), '[]') as messages
           from evidence_request q where q.org_id = $1 and q.portal_id = $2 order by q.requested_at desc, q.id`,
    values: [orgId, portalId],
  });
  const files = Map.groupBy(await attachmentsOfRequests(tx, orgId, portalId), ({ requestId }) => requestId);
  return rows.map(({ requestedAt, messages, ...row }) => ({
    id: row.id,
    control: row.control,
    text: row.text,
    dueOn: row.dueOn,
    isCarriedForward: row.isCarriedForward,
    state: row.state,
    isOverdue: row.isOverdue,
    requestedAt: requestedAt.toISOString(),
    messages: messages.map((one) => ({ ...one, sentAt: new Date(one.sentAt).toISOString() })),
    attachments: (files.get(row.id) ?? []).map(({ file }) => file),
  }));
}
