import type { PolicyChange } from '@sightline/contract/compliance/policies.ts';
import { permissionScopeOf } from '@sightline/contract/core/permissions.ts';
import { sql } from 'kysely';
import { findActiveRole } from '#core/active-role.ts';
import type { Actor } from '#core/actor.ts';
import { Archived, Conflict, Forbidden } from '#core/errors.ts';
import { lockOrganization } from '#core/owner-lock.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raiseNotifications } from '../../delivery/notifications/commands.ts';
import { personOfAccount } from '../../organization/members/commands.ts';
import { isAccountOfActor } from '../../organization/members/queries.ts';
import { applyTransition } from './apply-transition.ts';
import { findPolicyChange, isSoleApprover } from './change-queries.ts';
import { activePolicies } from './queries.ts';
import { recordChangeStep } from './request-change.ts';
import { type PolicyTransition, weakeningsOfTransition } from './transition.ts';

/**
 * Approves and applies, or rejects, a change that another person requested. Requesters can approve their own only if no
 * other member could recently. Throws `conflict` after a decision, and to an approval if policies changed meanwhile.
 */
export function decidePolicyChangeById(
  services: Services,
  approver: Actor,
  id: string,
  { approve, reason }: { approve: boolean; reason: string },
): Promise<null> {
  const { orgId } = approver;
  return services.database.withOrg(orgId, async (tx) => {
    const { actor, change } = await lockPendingChange(tx, approver, id, 'approve:exceptions');
    const isOwn = await isAccountOfActor(tx, actor, change.requestedBy.id);
    if (isOwn && !approve) throw Conflict('You requested this change. Withdraw it instead.');
    if (isOwn && !(await isSoleApprover(tx, actor))) {
      throw Conflict('You requested this change. Another person must decide.');
    }
    if (approve) await applyChange(services, tx, actor, change);
    const { entryId, events } = await recordChangeStep(services, tx, actor, {
      ...change,
      action: approve ? 'policy_change.approved' : 'policy_change.rejected',
      data: {
        requestedBy: await personOfAccount(services, tx, orgId, change.requestedBy.id),
        ...(approve && { selfApproved: isOwn }),
      },
      reason,
    });
    await saveDecision(tx, actor, id, {
      decision: approve ? 'approved' : 'rejected',
      reason,
      isOwn: approve && isOwn,
      entryId,
    });
    const policy = { id: change.policyId, name: change.name };
    await raiseNotifications(services, tx, orgId, {
      actor,
      notifications: [
        {
          type: 'policy.change_decided',
          changeId: id,
          policy,
          approved: approve,
          requestedBy: change.requestedBy.id,
          events,
        },
      ],
    });
    return null;
  });
}

/** Withdraws a pending change that the actor requested. */
export const withdrawPolicyChangeById = (services: Services, requester: Actor, id: string): Promise<null> =>
  services.database.withOrg(requester.orgId, (tx) => withdrawChange(services, tx, requester, id));

/** The same in a transaction that changes more. */
export async function withdrawChange(services: Services, tx: Tx, requester: Actor, id: string): Promise<null> {
  const { actor, change } = await lockPendingChange(tx, requester, id, 'write:policies');
  if (!(await isAccountOfActor(tx, actor, change.requestedBy.id))) {
    throw Forbidden('Only the requester can withdraw the change.');
  }
  const { entryId } = await recordChangeStep(services, tx, actor, { ...change, action: 'policy_change.withdrawn' });
  await saveDecision(tx, actor, id, { decision: 'withdrawn', reason: '', isOwn: false, entryId });
  return null;
}

/**
 * Locks the organization, so that decisions and changes of policies and members happen one at a time, and returns the
 * actor with their current role and the change. Throws 404 for an unknown one, 409 for a decided one.
 */
async function lockPendingChange(
  tx: Tx,
  given: Actor,
  id: string,
  permission: 'approve:exceptions' | 'write:policies',
): Promise<{ actor: Actor; change: PolicyChange }> {
  const { archivedAt, roleId } = await lockOrganization(tx, given);
  if (archivedAt !== null) throw Archived();
  const actor: Actor = { ...given, roleId, reach: (name) => permissionScopeOf(roleId, name) };
  if (actor.reach(permission) === undefined) {
    throw Forbidden('Your role no longer allows this. Ask an Account Owner.', permission);
  }
  const change = await findPolicyChange(tx, actor, id);
  if (change.state !== 'pending') throw Conflict(`This change is no longer pending: it was ${change.state}.`);
  return { actor, change };
}

const transitionActions: Record<PolicyChange['action'], PolicyTransition['action']> = {
  create: 'policy.created',
  update: 'policy.changed',
  archive: 'policy.deleted',
  restore: 'policy.restored',
};

async function applyChange(services: Services, tx: Tx, actor: Actor, change: PolicyChange): Promise<void> {
  const { orgId } = actor;
  const { id: changeId, policyId: id, requestedBy, outdated } = change;
  if (outdated !== null) throw Conflict(`${outdated} Reject the request; it can be sent again.`);
  await requireCurrentOwner(tx, orgId, requestedBy.id);
  const active = await activePolicies(tx, orgId);
  const was = active.find((one) => one.id === id);
  const base = was?.version ?? (await lastVersionOf(tx, orgId, id));
  const transition: PolicyTransition = {
    action: transitionActions[change.action],
    id,
    base,
    was,
    draft: change.after ?? undefined,
  };
  const personId = await personOfAccount(services, tx, orgId, requestedBy.id);
  const weakened = weakeningsOfTransition(active, transition);
  const request = { changeId, accountId: requestedBy.id, personId };
  await applyTransition(services, tx, actor, { ...transition, weakened, request });
}

/** A request of a person who may not change policies any more cannot be approved. */
async function requireCurrentOwner(tx: Tx, orgId: string, accountId: string): Promise<void> {
  const roleId = await findActiveRole(tx, orgId, accountId);
  if (roleId && permissionScopeOf(roleId, 'write:policies')) return;
  throw Conflict(
    'The requester is no longer an Account Owner. Reject the request; an Account Owner can send it again.',
  );
}

async function lastVersionOf({ db }: Tx, orgId: string, id: string): Promise<number> {
  const last = await db
    .selectFrom('policy')
    .select(({ fn }) => fn.max('version').as('version'))
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst();
  return last?.version ?? 0;
}

const saveDecision = (
  { db }: Tx,
  { orgId, accountId }: Actor,
  id: string,
  { decision, reason, isOwn, entryId }: { decision: string; reason: string; isOwn: boolean; entryId: string },
) =>
  db
    .updateTable('policy_change')
    .set({
      decision,
      reason,
      decided_by: accountId,
      decided_at: sql<Date>`clock_timestamp()`,
      self_approved: isOwn,
      decided_entry_id: entryId,
    })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
