import {
  isValidWaiverEnd,
  MAX_WAIVER_DAYS,
  type requestFindingWaivers,
  type TriageOutcome,
} from '@sightline/contract/vulnerabilities/triage.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { formatDay } from '#core/day.ts';
import { Conflict, Forbidden, Invalid, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raise } from '../../delivery/notifications/commands.ts';
import { isAccountOfActor, requireCurrentPermission } from '../../organization/members/queries.ts';
import type { TriageDecision } from './decision.ts';
import {
  recomputeAndNotify,
  recordDecisions,
  selectTargets,
  setFindingDecisions,
  waiverNotificationFields,
} from './decisions.ts';
import { mergedIntoId } from './queries.ts';
import { lockTargets, type TriageTarget } from './targets.ts';

/** Asks that findings be accepted until a day. Nothing about them changes before somebody else approves. */
export function request(
  services: Services,
  given: Actor,
  { ids, until: day, comment }: z.output<typeof requestFindingWaivers.body>,
): Promise<TriageOutcome> {
  const until = new Date(day);
  if (!isValidWaiverEnd(until, new Date())) {
    throw Invalid('until', `must be in the future and at most ${MAX_WAIVER_DAYS} days ahead`);
  }
  const { orgId, accountId } = given;
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireCurrentPermission(tx, given, 'write:findings');
    const { changing, skipped } = selectTargets(ids, await lockTargets(tx, actor, ids), whyNotRequested);
    const asked = changing.map((target) => ({ target, id: newId() }));
    if (asked.length > 0) {
      await tx.db
        .insertInto('finding_waiver')
        .values(
          asked.map(({ target, id }) => ({
            org_id: orgId,
            id,
            finding_id: target.id,
            state: 'requested',
            until,
            comment,
            reason_length: comment.length,
            requested_by: accountId,
          })),
        )
        .execute();
    }
    const decisions = asked.map(
      ({ target, id }): TriageDecision => ({ target, kind: 'exception_requested', comment, exceptionId: id, until }),
    );
    const events = await recordDecisions(services, tx, orgId, { doer: actor, decisions });
    const requested = { type: 'exception.requested', requestedBy: accountId } as const;
    await raise(services, tx, orgId, {
      doer: actor,
      news: asked.map(({ target, id }) => ({
        ...requested,
        ...waiverNotificationFields(target, until),
        events: events.get(id) ?? [],
      })),
    });
    await recomputeAndNotify(services, tx, orgId, changing);
    return { changed: changing.map(({ id }) => id), skipped };
  });
}

const whyNotRequested = ({ status, decided, exception }: TriageTarget): string | undefined => {
  if (exception?.state === 'requested') return `A waiver until ${formatDay(exception.until)} is already pending.`;
  if (decided === 'exception') return `It is already waived${exception ? ` until ${formatDay(exception.until)}` : ''}.`;
  if (decided === 'dismissed') return 'It is dismissed. Reopen it first.';
  return status === 'fixed' ? 'It is fixed and needs no waiver.' : undefined;
};

interface ExceptionKey {
  findingId: string;
  exceptionId: string;
}

/** Approves or refuses what somebody else asked for. 409 for one's own request, and for one that is decided already. */
export function decide(
  services: Services,
  given: Actor,
  named: ExceptionKey,
  { approve, comment }: { approve: boolean; comment: string },
): Promise<null> {
  const { orgId } = given;
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireCurrentPermission(tx, given, 'approve:exceptions');
    const { target, exception } = await lockException(tx, actor, named);
    if (await isAccountOfActor(tx, actor, exception.requested_by)) {
      throw Conflict('You requested this waiver. Another person must decide.');
    }
    checkWaiting(exception);
    const { until } = exception;
    if (until <= new Date()) throw Conflict(`The requested end date, ${formatDay(until)}, has passed.`);
    await setState(tx, actor, { id: exception.id, state: approve ? 'approved' : 'refused', comment });
    if (approve) await setFindingDecisions(tx, orgId, [target.id], 'exception');
    const [before, after] = [{ status: target.status }, { status: target.status === 'fixed' ? 'fixed' : 'exception' }];
    const heldRight = actor.reach('approve:exceptions') !== undefined;
    const kind = approve ? 'exception_approved' : 'exception_refused';
    const events = await recordDecisions(services, tx, orgId, {
      doer: actor,
      decisions: [
        { target, kind, comment, exceptionId: exception.id, until, heldRight, ...(approve && { before, after }) },
      ],
    });
    const decided = { type: 'exception.decided', approved: approve, requestedBy: exception.requested_by } as const;
    const told = { ...decided, ...waiverNotificationFields(target, until), events: events.get(exception.id) ?? [] };
    await raise(services, tx, orgId, { doer: actor, news: told });
    if (approve) {
      const key = `${orgId} ${exception.id}`;
      await services.jobs.enqueue(tx, 'triage.expire', { orgId }, { key, startAfter: until });
    }
    await recomputeAndNotify(services, tx, orgId, [target]);
    return null;
  });
}

/** Takes back what one asked for, while it waits. */
export function withdraw(services: Services, given: Actor, named: ExceptionKey): Promise<null> {
  const { orgId } = given;
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireCurrentPermission(tx, given, 'write:findings');
    const { target, exception } = await lockException(tx, actor, named);
    if (!(await isAccountOfActor(tx, actor, exception.requested_by))) {
      throw Forbidden('Only the requester can withdraw the request.');
    }
    checkWaiting(exception);
    await setState(tx, actor, { id: exception.id, state: 'withdrawn', comment: '' });
    await recordDecisions(services, tx, orgId, {
      doer: actor,
      decisions: [{ target, kind: 'exception_withdrawn', exceptionId: exception.id, until: exception.until }],
    });
    await recomputeAndNotify(services, tx, orgId, [target]);
    return null;
  });
}

/** Ends the exceptions that are asked for or hold of these findings, and says so for their history. */
export async function closeExceptions(
  tx: Tx,
  actor: Actor,
  targets: readonly TriageTarget[],
  state: 'withdrawn',
): Promise<TriageDecision[]> {
  const decisions: TriageDecision[] = [];
  for (const target of targets) {
    if (!target.exception) continue;
    const { id, until } = target.exception;
    await setState(tx, actor, { id, state, comment: '' });
    decisions.push({ target, kind: 'exception_withdrawn', exceptionId: id, until });
  }
  return decisions;
}

interface ExceptionRow {
  id: string;
  state: string;
  until: Date;
  requested_by: string;
}

async function lockException(tx: Tx, actor: Actor, { findingId, exceptionId }: ExceptionKey) {
  const id = (await mergedIntoId(tx, actor.orgId, findingId)) ?? findingId;
  const target = (await lockTargets(tx, actor, [id])).get(id);
  const exception: ExceptionRow | undefined = await tx.db
    .selectFrom('finding_waiver')
    .select(['id', 'state', 'until', 'requested_by'])
    .where('org_id', '=', actor.orgId)
    .where('id', '=', exceptionId)
    .where('finding_id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!target || !exception) throw NotFound('Waiver');
  return { target, exception };
}

function checkWaiting({ state }: ExceptionRow): void {
  if (state !== 'requested') throw Conflict(`This waiver is no longer pending: it was ${state} in the meantime.`);
}

const setState = (
  { db }: Tx,
  { orgId, accountId }: Actor,
  { id, state, comment }: { id: string; state: 'approved' | 'refused' | 'withdrawn'; comment: string },
) =>
  db
    .updateTable('finding_waiver')
    .set({ state, decided_by: accountId, decided_at: sql`clock_timestamp()`, decided_comment: comment })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
