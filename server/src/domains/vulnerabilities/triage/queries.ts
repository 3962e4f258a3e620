import type { FindingDetail, FindingStatus, FindingWaiverState } from '@sightline/contract/vulnerabilities/findings.ts';
import { type DismissReason, dismissReasonNames } from '@sightline/contract/vulnerabilities/triage.ts';
import type { Actor } from '#core/actor.ts';
import { formatDay } from '#core/day.ts';
import type { Tx } from '#database/database.ts';

/** Returns the finding that a finding was merged into; undefined if it was never merged. */
export async function mergedIntoId({ db }: Tx, orgId: string, findingId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('finding_merged')
    .select('into_id')
    .where('org_id', '=', orgId)
    .where('id', '=', findingId)
    .executeTakeFirst();
  return row?.into_id;
}

/** Returns the waivers and waiver requests of a finding, latest first. */
export async function waiversOfFinding(tx: Tx, orgId: string, findingId: string): Promise<FindingDetail['exceptions']> {
  const rows = await selectWaivers(tx, orgId)
    .where('e.finding_id', '=', findingId)
    .orderBy('e.requested_at', 'desc')
    .orderBy('e.id', 'desc')
    .execute();
  return rows.map(toWaiver);
}

interface FindingState {
  status: FindingStatus;
  decided: string | null;
  /** Number of sources. */
  sources: number;
  exceptions: FindingDetail['exceptions'];
}

/** Returns the actions that the actor may perform on a finding. The commands check the same conditions again. */
export function allowedFindingActions(
  actor: Pick<Actor, 'accountId' | 'archived' | 'reach'>,
  { status, decided, sources, exceptions }: FindingState,
): FindingDetail['allowed'] {
  const reach = actor.archived ? undefined : actor.reach('write:findings');
  const all = reach === 'all';
  const pendingRequest = exceptions.find(({ state }) => state === 'requested');
  const isOwn = pendingRequest?.requestedBy.id === actor.accountId;
  const mayDecide = !actor.archived && actor.reach('approve:exceptions') !== undefined;
  const undecided = decided !== 'dismissed' && decided !== 'exception';
  return {
    dismiss: all && undecided && status !== 'fixed',
    reopen: all && (!undecided || status === 'dismissed'),
    requestException: reach !== undefined && undecided && status !== 'fixed' && pendingRequest === undefined,
    decideException: mayDecide && pendingRequest !== undefined && !isOwn,
    withdrawException: reach !== undefined && pendingRequest !== undefined && isOwn,
    merge: all,
    split: all && sources > 1,
  };
}

/**
 * Returns the reason and author of a dismissal: a member, or else the scanner. Null for a finding that is not
 * dismissed.
 */
export async function findDismissal(
  { db }: Tx,
  orgId: string,
  { id, status, decided }: { id: string; status: FindingStatus; decided: string | null },
): Promise<FindingDetail['dismissal']> {
  if (decided === 'dismissed') {
    const decision = await selectDecisions(db, orgId, id)
      .where('d.kind', '=', 'dismissed')
      .orderBy('d.at', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (!decision) return null;
    const by = { kind: 'account' as const, id: decision.account_id ?? '', name: decision.name ?? formerMember };
    return { reason: reasonOf(decision.reason), comment: decision.comment, by, at: decision.at.toISOString() };
  }
  if (status !== 'dismissed') return null;
  const suppression = await db
    .selectFrom('finding_instance as i')
    .innerJoin('finding_source as s', (join) =>
      join
        .onRef('s.org_id', '=', 'i.org_id')
        .onRef('s.repository_id', '=', 'i.repository_id')
        .onRef('s.fingerprint', '=', 'i.fingerprint'),
    )
    .leftJoin('finding_tool as t', (join) => join.onRef('t.org_id', '=', 'i.org_id').onRef('t.tool', '=', 's.tool'))
    .where('i.org_id', '=', orgId)
    .where('i.finding_id', '=', id)
    .where('i.state', '=', 'suppressed')
    .select(['i.suppressed', 'i.first_seen', 's.tool', 't.name'])
    .orderBy('i.first_seen')
    .orderBy('i.analysis')
    .limit(1)
    .executeTakeFirst();
  if (!suppression) return null;
  const { reason = '', comment = '' } = (suppression.suppressed ?? {}) as { reason?: string; comment?: string };
  const by = { kind: 'scanner' as const, id: suppression.tool, name: suppression.name ?? suppression.tool };
  return { reason, comment, by, at: suppression.first_seen.toISOString() };
}

/** Returns the decisions about a finding, latest first, without scan results. */
export async function listFindingDecisions(
  { db }: Tx,
  orgId: string,
  findingId: string,
): Promise<FindingDetail['history']> {
  const rows = await selectDecisions(db, orgId, findingId)
    .orderBy('d.at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(MAX_DECISIONS)
    .execute();
  return rows.map((row) => ({
    at: row.at.toISOString(),
    says: phraseOf(row),
    kind: row.kind.startsWith('exception_') ? 'exception' : (row.kind as 'dismissed' | 'reopened' | 'merged' | 'split'),
    actor:
      row.account_id === null
        ? { kind: 'system', id: 'clock', name: 'Sightline' }
        : { kind: 'account', id: row.account_id, name: row.name ?? formerMember },
    comment: row.comment === '' ? null : row.comment,
  }));
}

const MAX_DECISIONS = 500;

/** The text after the name of the actor. */
function phraseOf({ kind, reason, until, other }: DecisionRow): string {
  const day = until ? ` until ${formatDay(until)}` : '';
  const title = (other as { title?: string } | null)?.title;
  const otherName = title === undefined ? 'another vulnerability' : `“${title}”`;
  switch (kind) {
    case 'dismissed':
      return `dismissed it: ${reasonOf(reason)}`;
    case 'reopened':
      return 'reopened it';
    case 'exception_requested':
      return `requested a waiver${day}`;
    case 'exception_approved':
      return `approved the waiver${day}`;
    case 'exception_refused':
      return `denied the waiver${day}`;
    case 'exception_withdrawn':
      return `withdrew the waiver request${day}`;
    case 'exception_expired':
      return until ? `ended the waiver, expired on ${formatDay(until)}` : 'revoked the waiver';
    case 'merged':
      return `merged ${otherName} into it`;
    default:
      return 'split it in two';
  }
}

const reasonOf = (reason: string | null): string => dismissReasonNames[reason as DismissReason] ?? reason ?? '';

const selectDecisions = (db: Tx['db'], orgId: string, findingId: string) =>
  db
    .selectFrom('finding_decision as d')
    .leftJoin('visible_account as a', 'a.id', 'd.account_id')
    .where('d.org_id', '=', orgId)
    .where('d.finding_id', '=', findingId)
    .select(['d.at', 'd.kind', 'd.reason', 'd.comment', 'd.until', 'd.other', 'd.account_id', 'a.name']);

type DecisionRow = Awaited<ReturnType<ReturnType<typeof selectDecisions>['execute']>>[number];

/** Selects waivers with the names of the requesting and deciding accounts. */
export const selectWaivers = ({ db }: Tx, orgId: string) =>
  db
    .selectFrom('finding_waiver as e')
    .leftJoin('visible_account as asker', 'asker.id', 'e.requested_by')
    .leftJoin('visible_account as decider', 'decider.id', 'e.decided_by')
    .where('e.org_id', '=', orgId)
    .select([
      'e.id',
      'e.state',
      'e.until',
      'e.comment',
      'e.requested_by',
      'e.requested_at',
      'e.decided_by',
      'e.decided_at',
    ])
    .select(['asker.name as asker_name', 'decider.name as decider_name']);

type TriageExceptionRow = Awaited<ReturnType<ReturnType<typeof selectWaivers>['execute']>>[number];

export const toWaiver = (row: TriageExceptionRow): FindingDetail['exceptions'][number] => ({
  id: row.id,
  state: row.state as FindingWaiverState,
  until: row.until.toISOString(),
  comment: row.comment,
  requestedBy: { id: row.requested_by, name: row.asker_name ?? formerMember },
  requestedAt: row.requested_at.toISOString(),
  decidedBy: row.decided_by === null ? null : { id: row.decided_by, name: row.decider_name ?? formerMember },
  decidedAt: row.decided_at?.toISOString() ?? null,
});

/** Display name of a deleted account. */
const formerMember = 'Former member';
