import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { findingControls, type requestWaiver } from '@sightline/contract/vulnerabilities/exceptions.ts';
import type { FindingWaiverState } from '@sightline/contract/vulnerabilities/findings.ts';
import { isValidWaiverEnd, MAX_WAIVER_DAYS } from '@sightline/contract/vulnerabilities/triage.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { type AuditActor, recordAuditEntry } from '#core/audit.ts';
import { Conflict, Forbidden, Invalid, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raise } from '../../delivery/notifications/commands.ts';
import { isAccountOfActor, requireCurrentPermission } from '../../organization/members/queries.ts';
import { seesAllRepositories, visibleRepositories } from '../../organization/repository-access/queries.ts';
import { appendFacts } from '../../timeline/events/commands.ts';
import type { ControlWaiver } from './control-waiver.ts';
import { type LeaveAction, leaveEvent } from './events.ts';
import { stateOf } from './queries.ts';

/**
 * Asks for leave to break a control for what one of its rows is about. Throws `not_found` where no row of its newest run that the
 * actor sees is about that, `conflict` where leave waits or holds already.
 */
export function request(
  services: Services,
  given: Actor,
  { control, subject, reason, until: day }: z.output<typeof requestWaiver.body>,
): Promise<{ id: string }> {
  const until = new Date(day);
  if (!isValidWaiverEnd(until, new Date())) {
    throw Invalid('until', `must be in the future and at most ${MAX_WAIVER_DAYS} days ahead`);
  }
  if (findingControls.some((one) => one === control)) {
    throw Conflict('Request a waiver of a vulnerability on its page.');
  }
  const { orgId, accountId } = given;
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireCurrentPermission(tx, given, 'write:findings');
    const about = await findJudged(tx, actor, control, subject);
    const asked = { id: newId(), control, subject, ...about, until, requestedBy: accountId };
    const { entryId, events } = await note(services, tx, orgId, {
      doer: actor,
      action: 'exception.requested',
      leave: asked,
      personal: { reason },
    });
    const inserted = await tx.db
      .insertInto('control_waiver')
      .values({
        org_id: orgId,
        id: asked.id,
        control_id: control,
        subject,
        repository_id: about.repositoryId,
        reason,
        reason_length: reason.length,
        requested_by: accountId,
        valid_until: until,
        entry_id: entryId,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!inserted) throw Conflict('A waiver for this item is already pending or active.');
    await raise(services, tx, orgId, { doer: actor, news: { ...newsOf('exception.requested', asked), events } });
    return { id: asked.id };
  });
}

/** The repository of a row of the newest run of a control. */
async function findJudged(
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

/** Approves or refuses what somebody else asked for. 409 for one's own request, and for one that is decided already. */
export function decide(
  services: Services,
  given: Actor,
  id: string,
  { approve, comment }: { approve: boolean; comment: string },
): Promise<null> {
  const { orgId } = given;
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireCurrentPermission(tx, given, 'approve:exceptions');
    const leave = await lockLeave(tx, actor, id);
    if (await isAccountOfActor(tx, actor, leave.requestedBy)) {
      throw Conflict('You requested this waiver. Another person must decide.');
    }
    checkWaiting(leave.state);
    if (leave.until <= new Date()) throw Conflict('The requested end date has passed.');
    const decision = approve ? 'approved' : 'refused';
    const { entryId, events } = await note(services, tx, orgId, {
      doer: actor,
      action: approve ? 'exception.approved' : 'exception.refused',
      leave,
      personal: comment === '' ? {} : { comment },
    });
    await close(tx, actor, { id, decision, comment, entryId });
    const news = newsOf('exception.decided', leave);
    await raise(services, tx, orgId, {
      doer: actor,
      news: { ...news, type: 'exception.decided', approved: approve, events },
    });
    return null;
  });
}

/** Takes back what one asked for and nobody decided, or ends what holds. */
export function withdraw(services: Services, given: Actor, id: string): Promise<null> {
  const { orgId } = given;
  return services.database.withOrg(orgId, async (tx) => {
    const own = given.reach('write:findings') !== undefined;
    const actor = await requireCurrentPermission(tx, given, own ? 'write:findings' : 'approve:exceptions');
    const leave = await lockLeave(tx, actor, id);
    const isOwn = await isAccountOfActor(tx, actor, leave.requestedBy);
    if (leave.state === 'approved') {
      if (!isOwn && actor.reach('approve:exceptions') === undefined) {
        throw Forbidden('Only the requester and members who can approve waivers can revoke it.', 'approve:exceptions');
      }
      const { entryId } = await note(services, tx, orgId, { doer: actor, action: 'exception.ended', leave });
      await tx.db
        .updateTable('control_waiver')
        .set({ valid_until: sql`clock_timestamp()`, expired_at: sql`clock_timestamp()`, decided_entry_id: entryId })
        .where('org_id', '=', orgId)
        .where('id', '=', id)
        .execute();
      return null;
    }
    if (!isOwn) throw Forbidden('Only the requester can withdraw the request.');
    checkWaiting(leave.state);
    const { entryId } = await note(services, tx, orgId, { doer: actor, action: 'exception.withdrawn', leave });
    await close(tx, actor, { id, decision: 'withdrawn', comment: '', entryId });
    return null;
  });
}

async function lockLeave(tx: Tx, actor: Actor, id: string): Promise<ControlWaiver & { state: FindingWaiverState }> {
  const row = await tx.db
    .selectFrom('control_waiver as e')
    .leftJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 'e.org_id').onRef('r.id', '=', 'e.repository_id'),
    )
    .where('e.org_id', '=', actor.orgId)
    .where('e.id', '=', id)
    .$if(actor.reach('write:findings') === 'own' || !seesAllRepositories(actor), (query) =>
      query.where((eb) =>
        eb.or([
          eb('e.requested_by', '=', actor.accountId),
          eb('e.repository_id', 'in', visibleRepositories(tx, actor).select('repository.id')),
        ]),
      ),
    )
    .select(['e.id', 'e.control_id', 'e.subject', 'e.repository_id', 'e.valid_until', 'e.requested_by'])
    .select(['r.full_name', stateOf.as('state')])
    .forUpdate('e')
    .executeTakeFirst();
  if (!row) throw NotFound('Waiver');
  return {
    id: row.id,
    control: row.control_id as ControlId,
    subject: row.subject,
    repositoryId: row.repository_id,
    repository: row.full_name,
    until: row.valid_until,
    requestedBy: row.requested_by,
    state: row.state,
  };
}

function checkWaiting(state: FindingWaiverState): void {
  if (state !== 'requested') throw Conflict(`This waiver is no longer pending: it was ${state} in the meantime.`);
}

const close = (
  { db }: Tx,
  { orgId, accountId }: Actor,
  {
    id,
    decision,
    comment,
    entryId,
  }: { id: string; decision: 'approved' | 'refused' | 'withdrawn'; comment: string; entryId: string },
) =>
  db
    .updateTable('control_waiver')
    .set({
      decision,
      decided_by: accountId,
      decided_comment: comment,
      decided_entry_id: entryId,
      decided_at: sql`clock_timestamp()`,
      // Nobody can approve the past.
      ...(decision === 'approved' && { valid_from: sql<Date>`clock_timestamp()` }),
    })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();

/** Writes what was decided into the audit log, the ledger and the timeline, and answers the ids of the entry and the event. Why somebody asks is theirs. */
export async function note(
  services: Services,
  tx: Tx,
  orgId: string,
  {
    doer,
    action,
    leave,
    personal = {},
  }: {
    doer: AuditActor & { roleId?: string; email?: string };
    action: LeaveAction;
    leave: ControlWaiver;
    personal?: { readonly [key: string]: string } | undefined;
  },
): Promise<{ entryId: string; events: string[] }> {
  const { id, control, subject, until } = leave;
  tx.afterCommit(() => services.realtime.tell(orgId, 'orgExceptions', {}));
  const { added } = await appendFacts(services, tx, orgId, [leaveEvent(doer, action, leave)]);
  const entryId = await recordAuditEntry(tx, {
    people: services.people,
    orgId,
    doer,
    entry: {
      action,
      subject: { kind: 'control_waiver', id },
      data: {
        control,
        subject,
        until: until.toISOString(),
        // That whoever decided held the right to, then.
        ...(doer.roleId !== undefined && { role: doer.roleId }),
      },
      ...(Object.keys(personal).length > 0 && { personal }),
    },
  });
  return { entryId, events: [...added] };
}

/** What notifications tell of leave. */
export const newsOf = <Type extends 'exception.requested' | 'exception.decided' | 'exception.expired'>(
  type: Type,
  { id, control, subject, repositoryId, repository, until, requestedBy }: ControlWaiver,
) => ({
  type,
  waiver: { id, control, subject },
  repository: repositoryId === null || repository === null ? null : { id: repositoryId, name: repository },
  until: until.toISOString(),
  requestedBy,
});
