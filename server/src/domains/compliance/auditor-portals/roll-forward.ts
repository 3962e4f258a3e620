import type { EarlierSample, getEarlierPortal } from '@sightline/contract/compliance/portal-samples.ts';
import type { CallOutput } from '@sightline/contract/core/endpoint.ts';
import type { PortalActor } from '#core/auditor-portals.ts';
import { Invalid } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { recordView } from './portal-visits.ts';
import { findPortal } from './queries.ts';
import { sampleRows } from './sample-rows.ts';

/** Throws 404 for an unknown portal, and 400 for one of another auditor, whose conclusions are not shown to others. */
export async function requireSameAuditor(
  tx: Tx,
  orgId: string,
  earlierId: string,
  auditor: { name: string; email: string | null },
): Promise<void> {
  const { auditor: before } = await findPortal(tx, orgId, earlierId);
  const isSame =
    before.email === null && auditor.email === null ? before.name === auditor.name : before.email === auditor.email;
  if (!isSame) throw Invalid('rollForwardFrom', 'must be a portal of the same auditor');
}

/**
 * Copies the requests that are not closed into a later portal, with all messages and files, so that both portals show
 * them whatever happens to the other one. Returns how many requests and files it copied.
 */
export async function carryRequests(
  tx: Tx,
  orgId: string,
  { from, to }: { from: string; to: string },
): Promise<{ requests: number; files: number }> {
  const [carried = { requests: 0, files: 0 }] = await tx.query<{ requests: number; files: number }>({
    name: 'portals.carry-requests',
    text: `with carried as (
             insert into evidence_request (org_id, portal_id, id, control_id, text, requested_at, due_on, waits, carried_from)
             select q.org_id, $3, gen_random_uuid(), q.control_id, q.text, q.requested_at, q.due_on, q.waits, q.id
             from evidence_request q where q.org_id = $1 and q.portal_id = $2 and q.closed_at is null
             returning org_id, id, carried_from),
           messages as (
             insert into evidence_message (org_id, portal_id, request_id, id, side, text, sent_by, sent_at)
             select m.org_id, $3, c.id, gen_random_uuid(), m.side, m.text, m.sent_by, m.sent_at
             from carried c join evidence_message m on m.org_id = c.org_id and m.portal_id = $2 and m.request_id = c.carried_from),
           files as (
             insert into portal_attachment (org_id, portal_id, id, request_id, side, name, size, sha256, content, attached_by, attached_at, carried_from)
             select a.org_id, $3, gen_random_uuid(), c.id, a.side, a.name, a.size, a.sha256, a.content, a.attached_by, a.attached_at, a.id
             from carried c join portal_attachment a on a.org_id = c.org_id and a.portal_id = $2 and a.request_id = c.carried_from
             returning id)
           select (select count(*) from carried)::int as requests, (select count(*) from files)::int as files`,
    values: [orgId, from, to],
  });
  return carried;
}

/** Returns the samples of the earlier portal with the last conclusions of the auditor. Records the view. */
export const viewEarlierPortal = (
  services: Services,
  actor: PortalActor,
): Promise<CallOutput<typeof getEarlierPortal>> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    const { orgId, portal } = actor;
    await recordView(services, tx, { actor, action: 'portal.viewed', viewDetails: { view: 'the earlier period' } });
    const { earlier } = await findPortal(tx, orgId, portal.id);
    return { portal: earlier, samples: earlier === null ? [] : await earlierSamples(tx, orgId, earlier.id) };
  });

interface ConclusionRow extends Record<string, unknown> {
  sampleId: string;
  conclusion: EarlierSample['conclusion'];
  tested: number;
  exceptions: number;
}

async function earlierSamples(tx: Tx, orgId: string, portalId: string): Promise<EarlierSample[]> {
  const { snapshots } = await findPortal(tx, orgId, portalId);
  const rows = await tx.query<ConclusionRow>({
    name: 'portals.earlier-conclusions',
    text: `select w.sample_id as "sampleId", max(w.conclusion) filter (where w.position = -1) as conclusion,
             (count(*) filter (where w.position >= 0))::int as tested,
             (count(*) filter (where w.position >= 0 and w.conclusion = 'exception'))::int as exceptions
           from (select distinct on (sample_id, position) sample_id, position, conclusion from audit_workpaper
                 where org_id = $1 and portal_id = $2 order by sample_id, position, version desc) w group by w.sample_id`,
    values: [orgId, portalId],
  });
  const conclusions = new Map(rows.map((row) => [row.sampleId, row]));
  return (await sampleRows(tx, orgId, portalId)).flatMap((sample) => {
    const snapshot = snapshots.find(({ id }) => id === sample.snapshotId);
    if (!snapshot) return [];
    const { conclusion = null, tested = 0, exceptions = 0 } = conclusions.get(sample.id) ?? {};
    const { snapshotId: _id, snapshotName: _name, positions, createdAt, ...kept } = sample;
    const size = positions.length;
    return [{ ...kept, size, createdAt: createdAt.toISOString(), snapshot, conclusion, tested, exceptions }];
  });
}
