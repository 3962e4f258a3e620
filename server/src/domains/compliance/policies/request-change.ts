import type { PolicyChange } from '@sightline/contract/compliance/policies.ts';
import type { CanonicalValue } from '@sightline/evidence/ledger/canonical.ts';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raiseNotifications } from '../../delivery/notifications/commands.ts';
import { appendFacts } from '../../timeline/events/commands.ts';
import type { WeakeningTransition } from './apply-transition.ts';
import { findPolicyChange } from './change-queries.ts';
import { type PolicyChangeStep, policyEvent } from './events.ts';
import { auditChangeOf, type PolicyTransition } from './transition.ts';

const requestedActions: Record<PolicyTransition['action'], PolicyChange['action']> = {
  'policy.created': 'create',
  'policy.changed': 'update',
  'policy.deleted': 'archive',
  'policy.restored': 'restore',
};

/**
 * Stores a change that weakens controls as pending and notifies the members who may approve it. Throws `conflict` if the
 * policy has a pending change. Requires the lock of the organization.
 */
export async function requestPolicyChange(
  services: Services,
  tx: Tx,
  actor: Actor,
  transition: WeakeningTransition,
): Promise<PolicyChange> {
  const { orgId } = actor;
  const { id: policyId, base, was, draft, weakened } = transition;
  const change = { id: newId(), policyId, name: (draft ?? was)?.name ?? '' };
  const { entryId, events } = await recordChangeStep(services, tx, actor, {
    ...change,
    action: 'policy_change.requested',
    data: { version: draft ? base + 1 : base, ...auditChangeOf(transition, weakened) },
  });
  const inserted = await tx.db
    .insertInto('policy_change')
    .values({
      org_id: orgId,
      id: change.id,
      policy_id: policyId,
      action: requestedActions[transition.action],
      base_version: base,
      name: change.name,
      proposed: draft
        ? JSON.stringify({ mode: draft.mode, kind: draft.kind, scope: draft.scope, settings: draft.settings })
        : null,
      weakened: JSON.stringify(weakened),
      requested_by: actor.accountId,
      entry_id: entryId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) {
    throw Conflict('A change of this policy awaits a decision. It must be approved, rejected or withdrawn first.');
  }
  const policy = { id: policyId, name: change.name };
  await raiseNotifications(services, tx, orgId, {
    actor,
    notifications: [
      { type: 'policy.change_requested', changeId: change.id, policy, weakened: weakened.length, events },
    ],
  });
  return findPolicyChange(tx, actor, change.id);
}

/** Records a step of a requested change in the timeline, the audit log and the ledger, and notifies open pages. */
export async function recordChangeStep(
  services: Services,
  tx: Tx,
  actor: Actor,
  {
    id,
    policyId,
    name,
    action,
    data = {},
    reason,
  }: PolicyChangeStep & {
    id: string;
    policyId: string;
    data?: { readonly [key: string]: CanonicalValue };
    /** Text of a person, which the ledger contains as a commitment. */
    reason?: string;
  },
): Promise<{ entryId: string; events: string[] }> {
  const { orgId } = actor;
  const { added } = await appendFacts(services, tx, orgId, [policyEvent(actor, { action, name })]);
  const entryId = await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor,
    entry: {
      action,
      subject: { kind: 'policy_change', id },
      // The role is evidence of the permission of the member at that time.
      data: { name, policy: policyId, role: actor.roleId, ...data },
      ...(reason !== undefined && { personal: { reason } }),
    },
  });
  tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgPolicies', { policyId }));
  return { entryId, events: [...added] };
}
