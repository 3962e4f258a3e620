import type { TriageOutcome } from '@sightline/contract/vulnerabilities/triage.ts';
import {
  findingControls,
  isValidWaiverEnd,
  MAX_WAIVER_DAYS,
  type requestFindingWaivers,
  type requestWaiver,
} from '@sightline/contract/vulnerabilities/waivers.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { formatDay } from '#core/day.ts';
import { Conflict, Forbidden, Invalid, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raiseNotifications } from '../../delivery/notifications/commands.ts';
import { isAccountOfActor, requireCurrentPermission } from '../../organization/members/queries.ts';
import { recomputeAndNotify, selectTargets } from '../triage/commands.ts';
import { lockTargets, type TriageTarget } from '../triage/queries.ts';
import { changeControlWaiver, findEvaluatedItem, insertControlWaiver, lockControlWaiver } from './control-waivers.ts';
import { notificationFieldsOf } from './events.ts';
import {
  changeFindingWaiver,
  insertFindingWaivers,
  lockFindingWaiver,
  recordFindingWaiver,
  requestObstacle,
} from './finding-waivers.ts';
import type { ControlWaiver, FindingWaiver, Locked, WaiverChange } from './waiver.ts';

/**
 * Requests a waiver for an item of a control. Throws 404 if the newest run has no such item that the actor sees, 409 if
 * the item has an open request or an active waiver.
 */
export function requestControlWaiver(
  services: Services,
  requester: Actor,
  { control, subject, reason, until: end }: z.output<typeof requestWaiver.body>,
): Promise<{ id: string }> {
  const until = parseEnd(end);
  if (findingControls.some((one) => one === control)) {
    throw Conflict('Request a waiver of a vulnerability on its page.');
  }
  const { orgId, accountId } = requester;
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireCurrentPermission(tx, requester, 'write:findings');
    const item = await findEvaluatedItem(tx, actor, control, subject);
    const terms = { id: newId(), until, requestedBy: accountId };
    const waiver: ControlWaiver = { kind: 'control', ...terms, control, subject, ...item };
    const events = await insertControlWaiver(services, tx, actor, { waiver, reason });
    await raiseNotifications(services, tx, orgId, {
      actor,
      notifications: [{ type: 'exception.requested', ...notificationFieldsOf(waiver), events }],
    });
    notifyOfWaivers(services, tx, orgId);
    return { id: waiver.id };
  });
}

/** Requests waivers for findings. The findings do not change before the approval. */
export function requestWaiversOfFindings(
  services: Services,
  requester: Actor,
  { ids, reason, until: end }: z.output<typeof requestFindingWaivers.body>,
): Promise<TriageOutcome> {
  const until = parseEnd(end);
  const { orgId } = requester;
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireCurrentPermission(tx, requester, 'write:findings');
    const { changing, skipped } = selectTargets(ids, await lockTargets(tx, actor, ids), requestObstacle);
    const notifications = [];
    for (const waiver of await insertFindingWaivers(tx, actor, changing, { reason, until })) {
      const events = await recordFindingWaiver(services, tx, orgId, {
        actor,
        action: 'requested',
        waiver,
        comment: reason,
      });
      notifications.push({ type: 'exception.requested' as const, ...notificationFieldsOf(waiver), events });
    }
    await raiseNotifications(services, tx, orgId, { actor, notifications });
    notifyOfWaivers(services, tx, orgId);
    await recomputeAndNotify(services, tx, orgId, changing);
    return { changed: changing.map(({ id }) => id), skipped };
  });
}

function parseEnd(end: string): Date {
  const until = new Date(end);
  if (!isValidWaiverEnd(until, new Date())) {
    throw Invalid('until', `must be in the future and at most ${MAX_WAIVER_DAYS} days ahead`);
  }
  return until;
}

/** Approves or denies the request of another person. Throws 409 for the actor's own request, and after a decision. */
export async function decideWaiverById(
  services: Services,
  approver: Actor,
  id: string,
  { approve, comment }: { approve: boolean; comment: string },
): Promise<null> {
  const { orgId } = approver;
  const withFindings = await services.flags.isOn('vulnerabilities', approver);
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireCurrentPermission(tx, approver, 'approve:exceptions');
    const waiver = await lockWaiver(tx, actor, id, withFindings);
    if (await isAccountOfActor(tx, actor, waiver.requestedBy)) {
      throw Conflict('You requested this waiver. Another person must decide.');
    }
    requirePending(waiver);
    const { until } = waiver;
    if (until <= new Date()) throw Conflict(`The requested end date, ${formatDay(until)}, has passed.`);
    const action = approve ? 'approved' : 'refused';
    const events = await changeWaiver(services, tx, actor, { waiver, action, comment });
    await raiseNotifications(services, tx, orgId, {
      actor,
      notifications: [{ type: 'exception.decided', approved: approve, ...notificationFieldsOf(waiver), events }],
    });
    if (approve) {
      await services.jobs.enqueue(tx, 'waivers.expire', { orgId }, { key: `${orgId} ${id}`, startAfter: until });
    }
    await finishChange(services, tx, orgId, waiver);
    return null;
  });
}

/** Withdraws the actor's own request, or revokes an active waiver: its requester or an approver may do that. */
export async function withdrawWaiverById(services: Services, requester: Actor, id: string): Promise<null> {
  const { orgId } = requester;
  const withFindings = await services.flags.isOn('vulnerabilities', requester);
  const permission = requester.reach('write:findings') === undefined ? 'approve:exceptions' : 'write:findings';
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireCurrentPermission(tx, requester, permission);
    const waiver = await lockWaiver(tx, actor, id, withFindings);
    const isOwn = await isAccountOfActor(tx, actor, waiver.requestedBy);
    const isActive = waiver.state === 'approved';
    if (isActive && !isOwn && actor.reach('approve:exceptions') === undefined) {
      throw Forbidden('Only the requester and members who can approve waivers can revoke it.', 'approve:exceptions');
    }
    if (!isActive) {
      if (!isOwn) throw Forbidden('Only the requester can withdraw the request.');
      requirePending(waiver);
    }
    await changeWaiver(services, tx, actor, { waiver, action: isActive ? 'ended' : 'withdrawn', comment: '' });
    await finishChange(services, tx, orgId, waiver);
    return null;
  });
}

/** Withdraws the open requests and active waivers of findings, before another decision about the findings. */
export async function withdrawWaiversOf(
  services: Services,
  tx: Tx,
  actor: Actor,
  targets: readonly TriageTarget[],
): Promise<void> {
  for (const target of targets) {
    if (!target.waiver) continue;
    const waiver: FindingWaiver<TriageTarget> = { kind: 'finding', ...target.waiver, target };
    await changeFindingWaiver(services, tx, actor, { waiver, action: 'withdrawn', comment: '' });
  }
}

type LockedWaiver = Locked<ControlWaiver> | Locked<FindingWaiver<TriageTarget>>;

/** Locks a waiver of either kind. Throws 404 if the actor may not see it. */
async function lockWaiver(tx: Tx, actor: Actor, id: string, withFindings: boolean): Promise<LockedWaiver> {
  const waiver =
    (await lockControlWaiver(tx, actor, id)) ?? (withFindings ? await lockFindingWaiver(tx, actor, id) : undefined);
  if (!waiver) throw NotFound('Waiver');
  return waiver;
}

function requirePending({ state }: LockedWaiver): void {
  if (state !== 'requested') throw Conflict(`This waiver is no longer pending: it was ${state} in the meantime.`);
}

const changeWaiver = (
  services: Services,
  tx: Tx,
  actor: Actor,
  { waiver, ...change }: WaiverChange<LockedWaiver>,
): Promise<string[]> =>
  waiver.kind === 'finding'
    ? changeFindingWaiver(services, tx, actor, { waiver, ...change })
    : changeControlWaiver(services, tx, actor, { waiver, ...change });

/** Sends change notices. Recomputes the finding last, since that locks the counts of the organization. */
async function finishChange(services: Services, tx: Tx, orgId: string, waiver: LockedWaiver): Promise<void> {
  notifyOfWaivers(services, tx, orgId);
  if (waiver.kind === 'finding') await recomputeAndNotify(services, tx, orgId, [waiver.target]);
}

const notifyOfWaivers = ({ realtime }: Services, tx: Tx, orgId: string): void =>
  tx.afterCommit(() => realtime.notifyOrganization(orgId, 'orgWaivers', {}));
