import type { EvidenceRequest } from '@sightline/contract/compliance/auditor-portals.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { sql } from 'kysely';
import { ATTEMPT_LIMITS, countAttempts } from '#core/attempts.ts';
import { recordAuditEntry } from '#core/audit.ts';
import type { PortalActor } from '#core/auditor-portals.ts';
import { TooManyAttempts } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import { raiseNotifications } from '../../delivery/notifications/commands.ts';
import { actorOf, auditorPersonalDataOf } from './portal-visits.ts';

/** Stores an evidence request of an auditor and notifies the organization. Throws 429 above fifty a day. */
export function createEvidenceRequest(
  services: Services,
  { portal, orgId, requestId }: PortalActor,
  { control, text }: { control: ControlId | null; text: string },
): Promise<EvidenceRequest> {
  return services.database.withOrg(orgId, async (tx) => {
    const waitSeconds = await countAttempts(tx, [[ATTEMPT_LIMITS.portalRequests, portal.id]]);
    if (waitSeconds > 0) throw TooManyAttempts(waitSeconds);
    const id = newId();
    const { requested_at: requestedAt } = await tx.db
      .insertInto('evidence_request')
      .values({ org_id: orgId, portal_id: portal.id, id, control_id: control, text })
      .returning(sql<Date>`requested_at`.as('requested_at'))
      .executeTakeFirstOrThrow();
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor: actorOf({ portal, requestId }),
      entry: {
        action: 'portal.requested',
        subject: { kind: 'portal', id: portal.id },
        data: { name: portal.name, request: id, ...(control !== null && { control }) },
        personal: { ...auditorPersonalDataOf(portal), text },
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
    await raiseNotifications(services, tx, orgId, {
      actor: actorOf({ portal, requestId }),
      notifications: [
        {
          type: 'portal.requested',
          portal: portalRef,
          auditor,
          control,
        },
      ],
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgEvidence', { portalId: portal.id }));
    return { id, control, text, requestedAt: requestedAt.toISOString(), answer: null, answeredAt: null };
  });
}
