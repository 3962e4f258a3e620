import type { WaiverState } from '@sightline/contract/vulnerabilities/waivers.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import type { AuditActor } from '#core/audit.ts';
import { formatDay } from '#core/day.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { recordDecisions, setFindingDecisions, type TriageDecision } from '../triage/commands.ts';
import { lockTargets, type TriageTarget } from '../triage/queries.ts';
import { appendWaiverEvent } from './events.ts';
import type { FindingWaiver, Locked, WaiverAction, WaiverChange } from './waiver.ts';

/** Returns why no waiver can be requested for a finding; undefined if one can. */
export const requestObstacle = ({ status, decided, waiver }: TriageTarget): string | undefined => {
  if (waiver?.state === 'requested') return `A waiver until ${formatDay(waiver.until)} is already pending.`;
  if (decided === 'exception') return `It is already waived${waiver ? ` until ${formatDay(waiver.until)}` : ''}.`;
  if (decided === 'dismissed') return 'It is dismissed. Reopen it first.';
  return status === 'fixed' ? 'It is fixed and needs no waiver.' : undefined;
};

/** Creates a waiver request for each finding. */
export async function insertFindingWaivers(
  { db }: Tx,
  { orgId, accountId }: Actor,
  targets: readonly TriageTarget[],
  { reason, until }: { reason: string; until: Date },
): Promise<FindingWaiver[]> {
  const waivers = targets.map(
    (target): FindingWaiver => ({ kind: 'finding', id: newId(), target, until, requestedBy: accountId }),
  );
  if (waivers.length === 0) return [];
  await db
    .insertInto('finding_waiver')
    .values(
      waivers.map(({ id, target }) => ({
        org_id: orgId,
        id,
        finding_id: target.id,
        state: 'requested',
        valid_until: until,
        reason,
        reason_length: reason.length,
        requested_by: accountId,
      })),
    )
    .execute();
  return waivers;
}

/** Locks a waiver and its finding; undefined if the actor may not see it. */
export async function lockFindingWaiver(
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<Locked<FindingWaiver<TriageTarget>> | undefined> {
  const waiver = tx.db.selectFrom('finding_waiver').where('org_id', '=', actor.orgId).where('id', '=', id);
  const found = await waiver.select('finding_id').executeTakeFirst();
  if (!found) return undefined;
  const target = (await lockTargets(tx, actor, [found.finding_id])).get(found.finding_id);
  const row = await waiver
    .select(['state', 'valid_until as until', 'requested_by'])
    .where('finding_id', '=', found.finding_id)
    .forUpdate()
    .executeTakeFirst();
  if (!target || !row) return undefined;
  return {
    kind: 'finding',
    id,
    target,
    until: row.until,
    requestedBy: row.requested_by,
    state: row.state as WaiverState,
  };
}

/** Saves a decision about a waiver of a finding. The caller runs `recomputeAndNotify`. Returns the timeline event. */
export async function changeFindingWaiver(
  services: Services,
  tx: Tx,
  actor: Actor,
  { waiver, action, comment }: WaiverChange<FindingWaiver<TriageTarget>>,
): Promise<string[]> {
  const { orgId, accountId } = actor;
  const state = action === 'ended' ? 'withdrawn' : action;
  await tx.db
    .updateTable('finding_waiver')
    .set({ state, decided_by: accountId, decided_at: sql`clock_timestamp()`, decided_comment: comment })
    .where('org_id', '=', orgId)
    .where('id', '=', waiver.id)
    .execute();
  const { id, status, suppressed } = waiver.target;
  if (action === 'approved') await setFindingDecisions(tx, orgId, [id], 'exception');
  // The decision `open` overrides a suppression by the scanner; without one, no decision is needed.
  if (action === 'ended') await setFindingDecisions(tx, orgId, [id], suppressed ? 'open' : null);
  const changed = { approved: 'exception', ended: 'open' }[action as string];
  return recordFindingWaiver(services, tx, orgId, {
    actor,
    action,
    waiver,
    comment,
    ...((action === 'approved' || action === 'refused') && {
      heldRight: actor.reach('approve:exceptions') !== undefined,
    }),
    ...(changed && { before: { status }, after: { status: status === 'fixed' ? status : changed } }),
  });
}

interface FindingWaiverRecord extends Pick<TriageDecision, 'comment' | 'heldRight' | 'before' | 'after'> {
  actor: AuditActor & { email?: string };
  action: WaiverAction;
  waiver: FindingWaiver;
}

/** Records a change of a waiver in the history of its finding, the audit log and the timeline. Returns the event. */
export async function recordFindingWaiver(
  services: Services,
  tx: Tx,
  orgId: string,
  { actor, action, waiver, ...record }: FindingWaiverRecord,
): Promise<string[]> {
  const { id, target, until } = waiver;
  const kind = `waiver_${action === 'ended' ? 'withdrawn' : action}` as const;
  await recordDecisions(services, tx, orgId, {
    actor,
    decisions: [{ target, kind, waiverId: id, until, ...record }],
  });
  return appendWaiverEvent(services, tx, orgId, { actor, action, waiver });
}
