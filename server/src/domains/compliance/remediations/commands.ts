import type {
  changeRemediations,
  RemediationChangeBody,
  recordRetest,
} from '@sightline/contract/compliance/remediation-changes.ts';
import type { RemediationState } from '@sightline/contract/compliance/remediation-schemas.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { type Period, parsePeriod } from '@sightline/contract/core/periods.ts';
import type { VerdictRow } from '@sightline/evidence/controls/run.ts';
import type { CanonicalValue } from '@sightline/evidence/ledger/canonical.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import { findActiveRole } from '#core/active-role.ts';
import type { Actor } from '#core/actor.ts';
import { type AuditActor, recordAuditEntry } from '#core/audit.ts';
import { Conflict, Forbidden, Invalid, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { raiseNotifications } from '../../delivery/notifications/commands.ts';
import { findCheckpointAt } from '../../ledger/ledger/queries.ts';
import { personOfAccount } from '../../organization/members/commands.ts';
import { isAccountOfActor, requireCurrentPermission } from '../../organization/members/queries.ts';
import { seesAllRepositories, visibleRepositories } from '../../organization/repository-access/queries.ts';
import { queueTicketsOf } from '../../sources/trackers/commands.ts';
import { newestStateSql } from './queries.ts';

type RemediationFields = Pick<RemediationChangeBody, 'ownerId' | 'dueOn' | 'ticketUrl' | 'notes' | 'isRemediated'>;

type RemediationServices = Pick<Services, 'database' | 'people' | 'realtime'>;

/** An item that failed: what each entry about its remediation repeats. */
interface FailedItem {
  id: string;
  control: ControlId;
  subject: string;
  repositoryId: string | null;
  runId: string;
  runEntry: string;
  epoch: number;
  size: number;
  failedAt: Date;
  from: Date;
  to: Date;
  reasons: string[];
}

/** The newest version of a remediation. */
interface Stated {
  version: number;
  state: RemediationState;
  ownerId: string | null;
  dueOn: string | null;
  ticketUrl: string | null;
  notes: string;
  remediatedAt: Date | null;
}

type KnownItem = FailedItem & Stated;

const nothingStated: Stated = {
  version: 0,
  state: 'open',
  ownerId: null,
  dueOn: null,
  ticketUrl: null,
  notes: '',
  remediatedAt: null,
};

/**
 * Sets fields of the remediations of items of a control, each with an entry of its own. Throws 404 for an item that the
 * actor does not see in the newest evaluation, and 409 for one that did not fail in it.
 */
export function changeItems(
  services: Services,
  given: Actor,
  body: RemediationChangeBody,
): Promise<z.output<typeof changeRemediations.response>> {
  const { orgId } = given;
  const { control, ownerId, dueOn, ticketUrl, notes, isRemediated } = body;
  if ([ownerId, dueOn, ticketUrl, notes, isRemediated].every((field) => field === undefined)) {
    throw Invalid('ownerId', 'or another field must be given');
  }
  const period = parsePeriod(body.period);
  if (!period) throw new Error('The contract accepted an invalid period');
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireCurrentPermission(tx, given, 'write:findings');
    if (typeof ownerId === 'string' && !(await findActiveRole(tx, orgId, ownerId))) {
      throw Invalid('ownerId', 'must be an active member');
    }
    await lockRemediations(tx, orgId);
    const items = await findItems(tx, actor, { control, period, subjects: [...new Set(body.subjects)] });
    const persons = new Map<string, string>();
    const personOf = async (accountId: string) => {
      const person = persons.get(accountId) ?? (await personOfAccount(services, tx, orgId, accountId));
      persons.set(accountId, person);
      return person;
    };
    let changed = 0;
    for (const item of items) {
      if (await changeItem(services, tx, changerOf(actor), { item, body, personOf })) changed += 1;
    }
    await queueTicketsOf(services, tx, orgId, { kind: 'remediation', ids: items.map(({ id }) => id) });
    await notifyNewOwner(services, tx, actor, { body, items });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgEvidence', { controlId: control }));
    return { changed };
  });
}

/**
 * Returns the items, each with a remediation, for a ticket. Throws 404 for an item that the actor does not see in the
 * newest evaluation, and 409 for one that did not fail in it.
 */
export async function ensureItems(
  services: Services,
  tx: Tx,
  given: Actor,
  { control, period, subjects }: { control: ControlId; period: Period; subjects: readonly string[] },
): Promise<{ actor: Actor; items: Pick<KnownItem, 'id' | 'subject' | 'reasons'>[] }> {
  const actor = await requireCurrentPermission(tx, given, 'write:findings');
  await lockRemediations(tx, actor.orgId);
  const items = await findItems(tx, actor, { control, period, subjects: [...new Set(subjects)] });
  for (const item of items)
    if (item.version === 0) await changeItem(services, tx, changerOf(actor), { item, body: {} });
  return { actor, items };
}

/** The remediations with these IDs, for a job. */
export async function findItemsById(tx: Tx, orgId: string, ids: readonly string[]): Promise<KnownItem[]> {
  const { rows } = await sql<KnownItem>`select ${itemColumnsSql}, ${newestStateSql.columns}
    from remediation i join control_run f on f.org_id = i.org_id and f.id = i.run_id
    ${newestStateSql.joins(sql`i.id`, orgId)}
    where i.org_id = ${orgId} and i.id = any(${ids}::uuid[]) order by i.id`.execute(tx.db);
  return rows;
}

/** Notifies the owner of the items that became theirs. */
async function notifyNewOwner(
  services: Services,
  tx: Tx,
  actor: Actor,
  { body: { control, ownerId, dueOn }, items }: { body: RemediationChangeBody; items: readonly KnownItem[] },
): Promise<void> {
  const assigned = items.filter((item) => item.ownerId !== ownerId);
  const [first] = assigned;
  if (typeof ownerId !== 'string' || !first) return;
  const facts = { control, owner: ownerId, items: assigned.length, subject: first.subject };
  await raiseNotifications(services, tx, actor.orgId, {
    actor,
    notifications: [{ type: 'remediation.assigned', ...facts, dueOn: dueOn === undefined ? first.dueOn : dueOn }],
  });
}

/** Two changes of one remediation, or a change and a retest, are never recorded at once. */
export const lockRemediations = (tx: Tx, orgId: string): Promise<unknown> =>
  tx.query({
    name: 'remediations.lock',
    text: `select pg_advisory_xact_lock(hashtextextended('remediations ' || $1, 0))`,
    values: [orgId],
  });

/** Returns the known remediations of items, and the failing items without one. */
async function findItems(
  tx: Tx,
  actor: Actor,
  { control, period, subjects }: { control: ControlId; period: Period; subjects: readonly string[] },
): Promise<KnownItem[]> {
  const visible = visibleRepositories(tx, actor).select('repository.id');
  const seen =
    actor.reach('write:findings') === 'own' || !seesAllRepositories(actor)
      ? sql`and i.repository_id in (${visible})`
      : sql``;
  const { rows } = await sql<Omit<KnownItem, 'failedAt'> & { failedAt: Date | null; verdict: string | null }>`
    with newest as (
      select id, rows_of, entry_id, as_of_epoch, as_of_size from control_run
      where org_id = ${actor.orgId} and control_id = ${control} and period_from = ${period.from} and period_to = ${period.to}
        and rows_of is not null
      order by as_of_epoch desc, as_of_size desc, run_at desc, id limit 1
    ), i as (
      select m.id, m.subject, m.repository_id, m.run_id, m.failed_at, m.reasons, null as verdict from remediation m
      where m.org_id = ${actor.orgId} and m.control_id = ${control} and m.period_from = ${period.from}
        and m.period_to = ${period.to} and m.subject = any(${subjects}::text[])
      union all
      select null, w.subject, w.repository_id, n.id, null, w.reasons, w.verdict
      from newest n join control_row w on w.org_id = ${actor.orgId} and w.run_id = n.rows_of
        and w.subject = any(${subjects}::text[])
    )
    select distinct on (i.subject) i.id, i.subject, i.repository_id as "repositoryId", i.run_id as "runId", i.failed_at as "failedAt",
      i.reasons, i.verdict, f.entry_id as "runEntry", f.as_of_epoch as epoch, f.as_of_size::int as size,
      ${newestStateSql.columns}
    from i join control_run f on f.org_id = ${actor.orgId} and f.id = i.run_id
    ${newestStateSql.joins(sql`i.id`, actor.orgId)}
    where true ${seen}
    order by i.subject, i.id nulls last`.execute(tx.db);
  if (rows.length < subjects.length) throw NotFound('Item');
  const passed = rows.find(({ id, verdict }) => id === null && verdict !== 'fail');
  if (passed) throw Conflict(`${passed.subject} does not fail in the newest evaluation of the period.`);
  const ends = { control, from: new Date(period.from), to: new Date(period.to) };
  const items: KnownItem[] = [];
  for (const row of rows) {
    const failedAt = row.failedAt ?? (await findCheckpointAt(tx, actor.orgId, row)).signedAt;
    items.push(
      row.id === null ? { ...nothingStated, ...ends, ...failedItemOf(row), failedAt } : { ...row, ...ends, failedAt },
    );
  }
  return items;
}

type FailedRow = Pick<FailedItem, 'subject' | 'repositoryId' | 'runId' | 'runEntry' | 'epoch' | 'size' | 'reasons'>;

const failedItemOf = ({ subject, repositoryId, runId, runEntry, epoch, size, reasons }: FailedRow) => ({
  id: newId(),
  subject,
  repositoryId,
  runId,
  runEntry,
  epoch,
  size,
  reasons,
});

/** Who changes a remediation: a member, or the issue tracker of its ticket. */
interface Changer {
  orgId: string;
  accountId: string | null;
  auditActor: AuditActor & { roleId?: string };
}

const changerOf = (actor: Actor): Changer => ({ orgId: actor.orgId, accountId: actor.accountId, auditActor: actor });

/** Adds a version of a remediation. Returns false if it changes nothing. */
export async function changeItem(
  services: Services,
  tx: Tx,
  changer: Changer,
  {
    item,
    body,
    personOf = (accountId) => personOfAccount(services, tx, changer.orgId, accountId),
  }: { item: KnownItem; body: RemediationFields; personOf?: (accountId: string) => Promise<string> },
): Promise<boolean> {
  const isDone = item.state !== 'open' && item.remediatedAt !== null;
  const next = {
    ownerId: body.ownerId === undefined ? item.ownerId : body.ownerId,
    dueOn: body.dueOn === undefined ? item.dueOn : body.dueOn,
    ticketUrl: body.ticketUrl === undefined ? item.ticketUrl : body.ticketUrl,
    notes: body.notes ?? item.notes,
    // A failed retest ended the last statement.
    isRemediated: body.isRemediated ?? isDone,
  };
  const isSame =
    next.ownerId === item.ownerId &&
    next.dueOn === item.dueOn &&
    next.ticketUrl === item.ticketUrl &&
    next.notes === item.notes &&
    next.isRemediated === isDone;
  if (isSame && item.version > 0) return false;
  const now = new Date();
  requireAfterFailure(item, now);
  if (item.version === 0) await insertRemediation(tx, changer.orgId, item);
  const owner = next.ownerId === null ? null : await personOf(next.ownerId);
  const entryId = await recordStep(services, tx, changer.orgId, {
    actor: changer.auditActor,
    action: 'remediation.changed',
    item,
    data: { owner, dueOn: next.dueOn, ticketUrl: next.ticketUrl, isRemediated: next.isRemediated },
    notes: next.notes,
  });
  await tx.db
    .insertInto('remediation_change')
    .values({
      org_id: changer.orgId,
      remediation_id: item.id,
      version: item.version + 1,
      owner_id: next.ownerId,
      due_on: next.dueOn,
      ticket_url: next.ticketUrl,
      notes: next.notes,
      remediated_at: next.isRemediated ? (isDone ? item.remediatedAt : now) : null,
      changed_by: changer.accountId,
      entry_id: entryId,
    })
    .execute();
  return true;
}

/** Evidence would contradict itself if the clock was set back behind the failure. */
function requireAfterFailure({ failedAt }: Pick<FailedItem, 'failedAt'>, now: Date): void {
  if (now < failedAt)
    throw Conflict('The clock of the server is before the time of the failure. Correct it, then try again.');
}

const insertRemediation = (tx: Tx, orgId: string, item: FailedItem): Promise<unknown> =>
  tx.db
    .insertInto('remediation')
    .values({
      org_id: orgId,
      id: item.id,
      control_id: item.control,
      subject: item.subject,
      repository_id: item.repositoryId,
      period_from: item.from,
      period_to: item.to,
      run_id: item.runId,
      failed_at: item.failedAt,
      reasons: item.reasons,
    })
    .execute();

/** Records a step in the audit log and the ledger. Each entry repeats the failure, so that none can change it. */
function recordStep(
  services: Pick<Services, 'people'>,
  tx: Tx,
  orgId: string,
  step: {
    actor: AuditActor & { roleId?: string };
    action: 'remediation.changed' | 'remediation.retested';
    item: FailedItem;
    data: { readonly [key: string]: CanonicalValue };
    notes: string;
  },
): Promise<string> {
  const { actor, action, item, data, notes } = step;
  return recordAuditEntry(tx, {
    people: services.people,
    orgId,
    actor,
    entry: {
      action,
      subject: { kind: 'remediation', id: item.id },
      data: {
        control: item.control,
        subject: item.subject,
        repository: item.repositoryId,
        failure: {
          evaluation: evaluationOf(
            { entryId: item.runEntry, epoch: item.epoch, size: item.size, at: item.failedAt.toISOString() },
            { from: item.from.toISOString(), to: item.to.toISOString() },
          ),
          verdict: 'fail',
          reasons: item.reasons,
        },
        ...data,
        // Evidence of the permission of the member at that time.
        ...(actor.roleId !== undefined && { role: actor.roleId }),
      },
      // Notes may name persons.
      ...(notes !== '' && { personal: { notes } }),
    },
  });
}

const evaluationOf = (
  { entryId, epoch, size, at }: { entryId: string; epoch: number; size: number; at: string },
  { from, to }: Period,
) => ({ id: entryId, epoch, size, at, period: { from, to } });

/** Records the result of a test. Throws 403 for members who are neither its owner nor may approve waivers. */
export function recordManualRetest(
  services: Services,
  given: Actor,
  id: string,
  { result, notes }: z.output<typeof recordRetest.body>,
): Promise<{ id: string }> {
  const { orgId } = given;
  const permission = given.reach('write:findings') === undefined ? 'approve:exceptions' : 'write:findings';
  return services.database.withOrg(orgId, async (tx) => {
    const actor = await requireCurrentPermission(tx, given, permission);
    await lockRemediations(tx, orgId);
    const item = await findKnownItem(tx, actor, id);
    const isOwner = item.ownerId !== null && (await isAccountOfActor(tx, actor, item.ownerId));
    if (!isOwner && actor.reach('approve:exceptions') === undefined) {
      throw Forbidden('Only the owner and members who can approve waivers can record a retest.', 'approve:exceptions');
    }
    const now = new Date();
    requireAfterFailure(item, now);
    const retestId = newId();
    const entryId = await recordStep(services, tx, orgId, {
      actor,
      action: 'remediation.retested',
      item,
      data: { result, evaluation: null },
      notes,
    });
    await insertRetest(tx, orgId, {
      retestId,
      id,
      result,
      testedAt: now,
      runId: null,
      recordedBy: actor.accountId,
      notes,
      entryId,
    });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgEvidence', { controlId: item.control }));
    return { id: retestId };
  });
}

/** Throws 404 for an unknown remediation, and for one that the actor does not see. */
async function findKnownItem(tx: Tx, actor: Actor, id: string): Promise<KnownItem> {
  const visible = visibleRepositories(tx, actor).select('repository.id');
  const seen =
    actor.reach('write:findings') === 'own' || !seesAllRepositories(actor)
      ? sql`and (c.owner_id = ${actor.accountId} or i.repository_id in (${visible}))`
      : sql``;
  const { rows } = await sql<KnownItem>`select ${itemColumnsSql}, ${newestStateSql.columns}
    from remediation i join control_run f on f.org_id = i.org_id and f.id = i.run_id
    ${newestStateSql.joins(sql`i.id`, actor.orgId)}
    where i.org_id = ${actor.orgId} and i.id = ${id} ${seen}`.execute(tx.db);
  const [item] = rows;
  if (!item) throw NotFound('Remediation');
  return item;
}

const itemColumnsSql = sql`i.id, i.control_id as control, i.subject, i.repository_id as "repositoryId", i.run_id as "runId",
  f.entry_id as "runEntry", f.as_of_epoch as epoch, f.as_of_size::int as size, i.failed_at as "failedAt",
  i.period_from as "from", i.period_to as "to", i.reasons`;

interface NewRetest {
  retestId: string;
  /** Of the remediation. */
  id: string;
  result: 'pass' | 'fail';
  testedAt: Date;
  runId: string | null;
  recordedBy: string | null;
  notes: string;
  entryId: string;
}

const insertRetest = (tx: Tx, orgId: string, retest: NewRetest): Promise<unknown> =>
  tx.query({
    name: 'remediations.insert-retest',
    text: `insert into remediation_retest (org_id, id, remediation_id, position, result, run_id, tested_at, recorded_by, notes, entry_id)
           select $1, $2, $3, 1 + count(*), $4, $5, $6, $7, $8, $9 from remediation_retest where org_id = $1 and remediation_id = $3`,
    values: [
      ...[
        orgId,
        retest.retestId,
        retest.id,
        retest.result,
        retest.runId,
        retest.testedAt,
        retest.recordedBy,
        retest.notes,
      ],
      retest.entryId,
    ],
  });

/** A new evaluation of a control. */
interface NewEvaluation {
  runId: string;
  control: ControlId;
  period: Period;
  asOf: { epoch: number; size: number; at: string };
  rows: readonly Pick<VerdictRow, 'subject' | 'verdict'>[];
}

/**
 * Records the evaluation of an item as its retest: the first one that passes after a failure, and one in which it fails
 * again after it had passed in an evaluation of the same period. The item remains failed in the period of its failure.
 */
export async function recordRetestsOf(
  services: RemediationServices,
  tx: Tx,
  orgId: string,
  { runId, control, period, asOf, rows }: NewEvaluation,
): Promise<void> {
  const verdicts = new Map(rows.map(({ subject, verdict }) => [subject, verdict]));
  await lockRemediations(tx, orgId);
  const { rows: items } = await sql<KnownItem & { lastResult: 'pass' | 'fail' | null }>`
    select ${itemColumnsSql}, ${newestStateSql.columns}, t.result as "lastResult"
    from remediation i join control_run f on f.org_id = i.org_id and f.id = i.run_id
    ${newestStateSql.joins(sql`i.id`, orgId)}
    left join control_run e on e.org_id = ${orgId} and e.id = t.run_id
    where i.org_id = ${orgId} and i.control_id = ${control} and i.period_from <= ${period.from}
      and (f.as_of_epoch, f.as_of_size) < (${asOf.epoch}, ${asOf.size}) and i.failed_at <= ${asOf.at}
      and (t.result is distinct from 'pass' or (e.period_from = ${period.from} and e.period_to = ${period.to}))
    order by i.id`.execute(tx.db);
  const tested = items.flatMap((item) => {
    const verdict = verdicts.get(item.subject);
    const result = item.lastResult === 'pass' ? 'fail' : 'pass';
    return verdict === result ? [{ item, result } as const] : [];
  });
  if (tested.length === 0) return;
  const [run] = await tx.query<{ entryId: string }>({
    name: 'remediations.run-entry',
    text: 'select entry_id as "entryId" from control_run where org_id = $1 and id = $2',
    values: [orgId, runId],
  });
  if (!run) throw new Error('The evaluation of the retest is not stored');
  for (const { item, result } of tested) {
    const entryId = await recordStep(services, tx, orgId, {
      actor: { clock: true },
      action: 'remediation.retested',
      item,
      data: { result, evaluation: evaluationOf({ entryId: run.entryId, ...asOf }, period) },
      notes: '',
    });
    const testedAt = new Date(asOf.at);
    await insertRetest(tx, orgId, {
      retestId: newId(),
      id: item.id,
      result,
      testedAt,
      runId,
      recordedBy: null,
      notes: '',
      entryId,
    });
  }
}
