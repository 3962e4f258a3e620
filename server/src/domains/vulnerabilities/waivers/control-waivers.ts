import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import type { AuditAction } from '@sightline/contract/organization/audit-actions.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { type AuditActor, recordAuditEntry } from '#core/audit.ts';
import { Conflict, NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { seesAllRepositories, visibleRepositories } from '../../organization/repository-access/queries.ts';
import { appendWaiverEvent } from './events.ts';
import { controlWaiverState } from './queries.ts';
import type { ControlWaiver, Locked, WaiverAction, WaiverChange } from './waiver.ts';

/** Creates and records a waiver request for an item of a control. Throws 409 if it has an open or active one. */
export async function insertControlWaiver(
  services: Services,
  tx: Tx,
  actor: Actor,
  { waiver, reason }: { waiver: ControlWaiver; reason: string },
): Promise<string[]> {
  const { entryId, events } = await recordControlWaiver(services, tx, actor.orgId, {
    actor,
    action: 'requested',
    waiver,
    personal: { reason },
  });
  const inserted = await tx.db
    .insertInto('control_waiver')
    .values({
      org_id: actor.orgId,
      id: waiver.id,
      control_id: waiver.control,
      subject: waiver.subject,
      repository_id: waiver.repositoryId,
      reason,
      reason_length: reason.length,
      requested_by: waiver.requestedBy,
      valid_until: waiver.until,
      entry_id: entryId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) throw Conflict('A waiver for this item is already pending or active.');
  return events;
}

/** Returns the repository of an item of the newest run of a control. Throws 404 for items that the actor may not see. */
export async function findEvaluatedItem(
  tx: Tx,
  actor: Actor,
  control: ControlId,
  subject: string,
): Promise<Pick<ControlWaiver, 'repositoryId' | 'repository'>> {
  const { orgId } = actor;
  const row = await tx.db
    .selectFrom('control_row as r')
    .where('r.org_id', '=', orgId)
    .where('r.run_id', '=', (eb) =>
      eb
        .selectFrom('control_run as n')
        .select('n.rows_of')
        .where('n.org_id', '=', orgId)
        .where('n.control_id', '=', control)
        .orderBy('n.period_to', 'desc')
        .orderBy('n.run_at', 'desc')
        .limit(1),
    )
    .where('r.subject', '=', subject)
    .$if(actor.reach('write:findings') === 'own' || !seesAllRepositories(actor), (query) =>
      query.where('r.repository_id', 'in', visibleRepositories(tx, actor).select('repository.id')),
    )
    .leftJoin('repository as p', (join) =>
      join.onRef('p.org_id', '=', 'r.org_id').onRef('p.id', '=', 'r.repository_id'),
    )
    .select(['r.repository_id', 'p.full_name'])
    .executeTakeFirst();
  if (!row) throw NotFound('Item');
  return { repositoryId: row.repository_id, repository: row.full_name };
}

/** Locks a waiver; undefined if the actor may not see it. */
export async function lockControlWaiver(tx: Tx, actor: Actor, id: string): Promise<Locked<ControlWaiver> | undefined> {
  const row = await tx.db
    .selectFrom('control_waiver as w')
    .leftJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 'w.org_id').onRef('r.id', '=', 'w.repository_id'),
    )
    .where('w.org_id', '=', actor.orgId)
    .where('w.id', '=', id)
    .$if(actor.reach('write:findings') === 'own' || !seesAllRepositories(actor), (query) =>
      query.where((eb) =>
        eb.or([
          eb('w.requested_by', '=', actor.accountId),
          eb('w.repository_id', 'in', visibleRepositories(tx, actor).select('repository.id')),
        ]),
      ),
    )
    .select(['w.id', 'w.control_id', 'w.subject', 'w.repository_id', 'w.valid_until', 'w.requested_by'])
    .select(['r.full_name', controlWaiverState.as('state')])
    .forUpdate('w')
    .executeTakeFirst();
  return row && { ...controlWaiverOf(row), state: row.state };
}

interface ControlWaiverRow {
  id: string;
  control_id: string;
  subject: string;
  repository_id: string | null;
  full_name: string | null;
  valid_until: Date;
  requested_by: string;
}

export const controlWaiverOf = (row: ControlWaiverRow): ControlWaiver => ({
  kind: 'control',
  id: row.id,
  control: row.control_id as ControlId,
  subject: row.subject,
  repositoryId: row.repository_id,
  repository: row.full_name,
  until: row.valid_until,
  requestedBy: row.requested_by,
});

/** Saves and records a decision about a waiver of a control. Returns the timeline event. */
export async function changeControlWaiver(
  services: Services,
  tx: Tx,
  actor: Actor,
  { waiver, action, comment }: WaiverChange<ControlWaiver>,
): Promise<string[]> {
  const { orgId, accountId } = actor;
  const { entryId, events } = await recordControlWaiver(services, tx, orgId, {
    actor,
    action,
    waiver,
    personal: comment === '' ? {} : { comment },
  });
  const now = sql<Date>`clock_timestamp()`;
  await tx.db
    .updateTable('control_waiver')
    .set(
      action === 'ended'
        ? { valid_until: now, expired_at: now, decided_entry_id: entryId }
        : {
            decision: action,
            decided_by: accountId,
            decided_comment: comment,
            decided_entry_id: entryId,
            decided_at: now,
            // An approval does not apply to the time before it.
            ...(action === 'approved' && { valid_from: now }),
          },
    )
    .where('org_id', '=', orgId)
    .where('id', '=', waiver.id)
    .execute();
  return events;
}

const actions: Record<WaiverAction, AuditAction> = {
  requested: 'waiver.requested',
  approved: 'waiver.approved',
  refused: 'waiver.refused',
  withdrawn: 'waiver.withdrawn',
  ended: 'waiver.ended',
  expired: 'waiver.expired',
};

/** Records a change of a waiver in the audit log, the ledger and the timeline. Reasons and comments are personal data. */
export async function recordControlWaiver(
  services: Services,
  tx: Tx,
  orgId: string,
  {
    actor,
    action,
    waiver,
    personal = {},
  }: {
    actor: AuditActor & { roleId?: string; email?: string };
    action: WaiverAction;
    waiver: ControlWaiver;
    personal?: { readonly [key: string]: string };
  },
): Promise<{ entryId: string; events: string[] }> {
  const { id, control, subject, until } = waiver;
  const events = await appendWaiverEvent(services, tx, orgId, { actor, action, waiver });
  const entryId = await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor,
    entry: {
      action: actions[action],
      subject: { kind: 'control_waiver', id },
      data: {
        control,
        subject,
        until: until.toISOString(),
        // Evidence of the permission of the member at that time.
        ...(actor.roleId !== undefined && { role: actor.roleId }),
      },
      ...(Object.keys(personal).length > 0 && { personal }),
    },
  });
  return { entryId, events };
}
