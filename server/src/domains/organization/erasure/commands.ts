import type { decideErasure, Erasure, erasePerson } from '@sightline/contract/organization/erasure.ts';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict, Invalid, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import { requireOwner } from '#core/owner-lock.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { lockActionScene } from '../members/queries.ts';
import { beginErasure, type ErasureSubject, refuseSoleOwner } from './begin.ts';
import { confirmationNamesOf, findErasure, findOpenErasure } from './queries.ts';

/** Records the erasure request of the actor, once; an owner decides on it. Throws 409 for the only owner. */
export const requestErasureOfActor = (services: Services, actor: Actor): Promise<Erasure> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    const { orgId, accountId, personId } = actor;
    await lockActionScene(tx, actor);
    await refuseSoleOwner(tx, orgId, accountId);
    const id = newId();
    const inserted = await tx.db
      .insertInto('erasure')
      .values({
        org_id: orgId,
        id,
        person_id: personId,
        account_id: accountId,
        requested_by: accountId,
        basis: 'person',
        state: 'requested',
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows !== 1n) return findOpenErasure(tx, orgId, personId);
    await recordRequestChange(services, tx, actor, { action: 'erasure.requested', personId, erasure: id });
    return findErasure(tx, orgId, id);
  });

/** Withdraws the open request of the actor; throws 404 if there is none. */
export const withdrawErasureOfActor = (services: Services, actor: Actor): Promise<Erasure> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    const { orgId, accountId, personId } = actor;
    await lockActionScene(tx, actor);
    const row = await tx.db
      .updateTable('erasure')
      .set({ state: 'withdrawn' })
      .where('org_id', '=', orgId)
      .where('person_id', '=', personId)
      .where('requested_by', '=', accountId)
      .where('state', '=', 'requested')
      .returning('id')
      .executeTakeFirst();
    if (!row) throw NotFound('A request');
    await recordRequestChange(services, tx, actor, { action: 'erasure.withdrawn', personId, erasure: row.id });
    return findErasure(tx, orgId, row.id);
  });

/** Erases a person without their request. Throws 400 unless `confirm` names them, 409 for oneself or the only owner. */
export const startErasureByOwner = (
  services: Services,
  actor: Actor,
  { subject, confirm }: z.output<typeof erasePerson.body>,
): Promise<Erasure> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    const { orgId, accountId } = actor;
    await requireOwner(tx, actor);
    const found = await findErasureSubject(tx, orgId, subject);
    if (found.accountId === accountId)
      throw Conflict('Request this under “Your data”. Another Account Owner decides on it.');
    await refuseOpen(tx, orgId, found.personId);
    await checkConfirmed(tx, orgId, found.personId, confirm);
    const id = await beginErasure(services, tx, orgId, {
      actor,
      erasureSubject: found,
      begin: { basis: 'owner', requestedBy: accountId },
    });
    return findErasure(tx, orgId, id);
  });

/** Approves or refuses a request. Throws 409 for one's own request and for an already decided one. */
export const decideErasureRequest = (
  services: Services,
  actor: Actor,
  erasureId: string,
  body: z.output<typeof decideErasure.body>,
): Promise<Erasure> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    const { orgId, accountId } = actor;
    await requireOwner(tx, actor);
    const row = await tx.db
      .selectFrom('erasure')
      .select(['person_id', 'account_id', 'requested_by', 'state'])
      .where('org_id', '=', orgId)
      .where('id', '=', erasureId)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw NotFound('Request');
    if (row.state !== 'requested') throw Conflict('This request was already decided or withdrawn.');
    if (row.requested_by === accountId) throw Conflict('Another Account Owner must decide on your own request.');
    const decided = { decided_by: accountId, decided_at: new Date() };
    const requestUpdate = tx.db.updateTable('erasure').where('org_id', '=', orgId).where('id', '=', erasureId);
    if (body.decision === 'refuse') {
      await requestUpdate.set({ ...decided, state: 'refused', reason: body.reason }).execute();
      await recordRequestChange(services, tx, actor, {
        action: 'erasure.refused',
        personId: row.person_id,
        erasure: erasureId,
      });
    } else {
      await checkConfirmed(tx, orgId, row.person_id, body.confirm);
      await requestUpdate.set(decided).execute();
      // The person may have been merged into another one since the request.
      const subject = await findErasureSubject(tx, orgId, { kind: 'person', id: row.person_id });
      await beginErasure(services, tx, orgId, {
        actor,
        erasureSubject: subject,
        begin: {
          erasureId,
          basis: 'person' as const,
          requestedBy: row.requested_by,
        },
      });
    }
    return findErasure(tx, orgId, erasureId);
  });

/** Queues the running erasures again, unless they are already queued. */
export async function resumeErasures({ database, jobs }: Services): Promise<void> {
  const { rows } = await database.pool.query<{ org_id: string; id: string }>('select * from running_erasures()');
  for (const { org_id: orgId, id: erasureId } of rows) {
    await database.withOrg(orgId, (tx) => jobs.enqueue(tx, 'erasure.run', { orgId, erasureId }, { key: erasureId }));
  }
}

/** The current person and account of a subject; throws 404 if it does not exist. */
export async function findErasureSubject(
  tx: Tx,
  orgId: string,
  { kind, id }: { kind: 'member' | 'person'; id: string },
): Promise<ErasureSubject> {
  const [row] = await tx.query<{ person_id: string; account_id: string | null }>({
    name: '',
    text: `select p.id as person_id, a.value as account_id from (
             select coalesce(merged_into, id) as id from person where org_id = $1 and id = case when $2 = 'person' then $3::uuid else (
               select person_id from identity where org_id = $1 and kind = 'account' and value = $3::uuid::text) end) p
           left join identity a on a.org_id = $1 and a.person_id = p.id and a.kind = 'account'
           order by a.value limit 1`,
    values: [orgId, kind, id],
  });
  if (!row) throw NotFound('Person');
  return { personId: row.person_id, accountId: row.account_id };
}

async function refuseOpen({ db }: Tx, orgId: string, personId: string): Promise<void> {
  const open = await db
    .selectFrom('erasure')
    .select('state')
    .where('org_id', '=', orgId)
    .where('person_id', '=', personId)
    .where('state', 'in', ['requested', 'running'])
    .executeTakeFirst();
  if (open?.state === 'requested') throw Conflict('This person requested the deletion. Decide on their request.');
  if (open) throw Conflict('The data of this person is already being deleted.');
}

async function checkConfirmed(tx: Tx, orgId: string, personId: string, confirm: string): Promise<void> {
  const names = await confirmationNamesOf(tx, orgId, personId);
  if (!names.some((name) => isSame(name, confirm)))
    throw Invalid('confirm', 'is not the name or address of this person');
}

const isSame = (first: string, second: string) => first.trim().toLowerCase() === second.trim().toLowerCase();

async function recordRequestChange(
  { people, realtime }: Services,
  tx: Tx,
  actor: Actor,
  {
    action,
    personId,
    erasure,
  }: { action: 'erasure.requested' | 'erasure.withdrawn' | 'erasure.refused'; personId: string; erasure: string },
): Promise<void> {
  const subject = { kind: 'person', id: personId } as const;
  await recordAuditEntry(tx, {
    people,
    orgId: actor.orgId,
    actor,
    entry: { action, subject, data: { erasure } },
  });
  tx.afterCommit(() => {
    realtime.notifyOrganization(actor.orgId, 'orgMembers', {});
    realtime.notifyOrganization(actor.orgId, 'orgAudit', {});
  });
}
