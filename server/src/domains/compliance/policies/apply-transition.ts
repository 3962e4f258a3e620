import { MAX_POLICIES } from '@sightline/contract/compliance/policies.ts';
import type { RecordedWeakening } from '@sightline/evidence/bundle/weakening.ts';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { appendFacts } from '../../timeline/events/commands.ts';
import { policyEvent } from './events.ts';
import { syncControlSettings } from './sync-control-settings.ts';
import { auditChangeOf, type PolicyTransition } from './transition.ts';

/** The request that an approval applies. */
export interface ApprovedRequest {
  changeId: string;
  /** The account and the opaque ID of the person that requested it. */
  accountId: string;
  personId: string;
}

export interface WeakeningTransition extends PolicyTransition {
  weakened: readonly RecordedWeakening[];
}

/**
 * Stores the next version of a policy or archives it, updates the control settings, and records the change in the audit
 * log. With `request`, the actor approved the change. Requires the lock of the organization.
 */
export async function applyTransition(
  services: Services,
  tx: Tx,
  actor: Actor,
  { request, ...transition }: WeakeningTransition & { request?: ApprovedRequest },
): Promise<void> {
  const { orgId } = actor;
  const { action, id, base, was, draft, weakened } = transition;
  const at = new Date();
  const name = (draft ?? was)?.name ?? '';
  // The timeline names the approval instead, since the approver did not write the change.
  if (!request) {
    const applied =
      action === 'policy.deleted' ? { action, id, name } : { action, id, name, mode: draft?.mode ?? 'observe' };
    await appendFacts(services, tx, orgId, [policyEvent(actor, applied)]);
  }
  const entryId = await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor,
    entry: {
      action,
      subject: { kind: 'policy', id },
      data: {
        name,
        version: draft ? base + 1 : base,
        ...auditChangeOf(transition, weakened),
        ...(request && { requestedBy: request.personId, change: request.changeId }),
      },
    },
  });
  if (was) {
    await tx.db
      .updateTable('policy')
      .set({ valid_until: at, ended_entry_id: entryId })
      .where('org_id', '=', orgId)
      .where('id', '=', id)
      .where('version', '=', base)
      .execute();
  }
  if (draft) {
    await tx.db
      .insertInto('policy')
      .values({
        org_id: orgId,
        id,
        version: base + 1,
        name: draft.name,
        kind: draft.kind,
        mode: draft.mode,
        scope: JSON.stringify(draft.scope),
        settings: JSON.stringify(draft.settings),
        valid_from: at,
        author: request?.accountId ?? actor.accountId,
        entry_id: entryId,
      })
      .execute();
  }
  await syncControlSettings(tx, orgId, at, entryId);
  const publishes = (mode = 'observe') => mode !== 'observe';
  if (publishes(draft?.mode) || publishes(was?.mode)) {
    await services.jobs.enqueue(tx, 'policies.enforce-all', { orgId }, { key: orgId });
  }
  tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgPolicies', { policyId: id }));
}

/** Throws `conflict` if the limit of active policies and of requested new ones is reached. */
export async function checkPolicyCount({ db }: Tx, orgId: string): Promise<void> {
  const active = await db
    .selectFrom('policy')
    .where('org_id', '=', orgId)
    .where('valid_until', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const requested = await db
    .selectFrom('policy_change')
    .where('org_id', '=', orgId)
    .where('decision', 'is', null)
    .where('action', 'in', ['create', 'restore'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(active.count) + Number(requested.count) < MAX_POLICIES) return;
  throw Conflict(`The limit of ${MAX_POLICIES} policies is reached. Archive one first.`);
}
