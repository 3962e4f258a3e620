import type { FindingDetail, FindingStatus } from '@sightline/contract/vulnerabilities/findings.ts';
import { type DismissReason, dismissReasonNames } from '@sightline/contract/vulnerabilities/triage.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { formatDay } from '#core/day.ts';
import type { Tx } from '#database/database.ts';
import { seesAllRepositories, visibleRepositories } from '../../organization/repository-access/queries.ts';
import { lockFindingsOf } from '../findings/status.ts';
import type { EditedFields } from './edited-fields.ts';

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

/** The fields of a finding that a decision needs. */
export interface TriageTarget {
  id: string;
  repositoryId: string;
  repository: string;
  title: string;
  category: string;
  status: FindingStatus;
  decided: string | null;
  /** Every scanner that still reports the finding suppresses it. */
  suppressed: boolean;
  /** The open waiver request, or the active waiver. */
  waiver: { id: string; state: 'requested' | 'approved'; until: Date; requestedBy: string } | null;
}

/**
 * Returns the findings that the actor may decide about, by ID, and locks them until the end of the transaction.
 * Findings outside the actor's scope are omitted, so that their existence is not disclosed.
 */
export const lockTargets = (tx: Tx, actor: Actor, ids: readonly string[]): Promise<Map<string, TriageTarget>> =>
  lockScopedTargets(tx, actor.orgId, ids, actor);

/** The same for a job, which may change every finding of the organization. */
export const lockTargetsOfOrganization = (
  tx: Tx,
  orgId: string,
  ids: readonly string[],
): Promise<Map<string, TriageTarget>> => lockScopedTargets(tx, orgId, ids, undefined);

async function lockScopedTargets(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
  actor: Actor | undefined,
): Promise<Map<string, TriageTarget>> {
  await lockFindingsOf(tx, orgId, ids);
  const isLimited = actor && (actor.reach('write:findings') === 'own' || !seesAllRepositories(actor));
  const rows = await tx.db
    .selectFrom('finding as f')
    .innerJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 'f.org_id').onRef('r.id', '=', 'f.repository_id'),
    )
    .innerJoin('finding_title as t', (join) => join.onRef('t.org_id', '=', 'f.org_id').onRef('t.id', '=', 'f.title_id'))
    .leftJoin('finding_waiver as w', (join) =>
      join
        .onRef('w.org_id', '=', 'f.org_id')
        .onRef('w.finding_id', '=', 'f.id')
        .on('w.state', 'in', ['requested', 'approved']),
    )
    .leftJoin(suppressedFindings(orgId, ids), (join) => join.onRef('s.finding_id', '=', 'f.id'))
    .where('f.org_id', '=', orgId)
    .where(sql<boolean>`f.id = any(${ids}::uuid[])`)
    .$if(isLimited === true, (query) =>
      actor ? query.where('f.repository_id', 'in', visibleRepositories(tx, actor).select('repository.id')) : query,
    )
    .select(['f.id', 'f.repository_id', 'r.full_name', 't.title', 'f.category', 'f.status', 'f.decided'])
    .select(['w.id as waiver_id', 'w.state as waiver_state', 'w.valid_until as until', 'w.requested_by'])
    .select(({ fn, val }) => fn.coalesce('s.suppressed', val(false)).as('suppressed'))
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        repositoryId: row.repository_id,
        repository: row.full_name,
        title: row.title,
        category: row.category,
        status: row.status as FindingStatus,
        decided: row.decided,
        suppressed: row.suppressed,
        waiver:
          row.waiver_id === null || row.until === null || row.requested_by === null
            ? null
            : {
                id: row.waiver_id,
                state: row.waiver_state as 'requested' | 'approved',
                until: row.until,
                requestedBy: row.requested_by,
              },
      },
    ]),
  );
}

const suppressedFindings = (orgId: string, ids: readonly string[]) =>
  sql<{ finding_id: string; suppressed: boolean }>`(
    select i.finding_id, bool_or(i.state = 'suppressed') and not bool_or(i.state = 'open') as suppressed from finding_instance i
    where i.org_id = ${orgId} and i.finding_id = any(${ids}::uuid[]) group by i.finding_id)`.as('s');

interface FindingState {
  status: FindingStatus;
  decided: string | null;
  /** Number of sources. */
  sources: number;
  waivers: FindingDetail['waivers'];
}

/** Returns the actions that the actor may perform on a finding. The commands check the same conditions again. */
export function allowedFindingActions(
  actor: Pick<Actor, 'archived' | 'reach'>,
  { status, decided, sources, waivers }: FindingState,
): FindingDetail['allowed'] {
  const reach = actor.archived ? undefined : actor.reach('write:findings');
  const all = reach === 'all';
  const isRequested = waivers.some(({ state }) => state === 'requested');
  const undecided = decided !== 'dismissed' && decided !== 'exception';
  return {
    dismiss: all && undecided && status !== 'fixed',
    reopen: all && (!undecided || status === 'dismissed'),
    requestWaiver: reach !== undefined && undecided && status !== 'fixed' && !isRequested,
    merge: all,
    split: all && sources > 1,
    edit: all,
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
    phrase: phraseOf(row),
    kind: row.kind.startsWith('waiver_')
      ? 'waiver'
      : (row.kind as 'dismissed' | 'reopened' | 'merged' | 'split' | 'edited'),
    actor:
      row.account_id === null
        ? { kind: 'system', id: 'clock', name: 'Sightline' }
        : { kind: 'account', id: row.account_id, name: row.name ?? formerMember },
    comment: row.comment === '' ? null : row.comment,
  }));
}

const MAX_DECISIONS = 500;

/** The text after the name of the actor. */
function phraseOf({ kind, reason, until, other, assignee }: DecisionRow): string {
  const day = until ? ` until ${formatDay(until)}` : '';
  const title = (other as { title?: string } | null)?.title;
  const otherName = title === undefined ? 'another vulnerability' : `“${title}”`;
  switch (kind) {
    case 'dismissed':
      return `dismissed it: ${reasonOf(reason)}`;
    case 'reopened':
      return 'reopened it';
    case 'waiver_requested':
      return `requested a waiver${day}`;
    case 'waiver_approved':
      return `approved the waiver${day}`;
    case 'waiver_refused':
      return `denied the waiver${day}`;
    case 'waiver_withdrawn':
      return `withdrew the waiver${day}`;
    case 'waiver_expired':
      return until ? `ended the waiver, expired on ${formatDay(until)}` : 'revoked the waiver';
    case 'merged':
      return `merged ${otherName} into it`;
    case 'edited':
      return editPhraseOf(other as unknown as EditedFields, assignee);
    default:
      return 'split it in two';
  }
}

function editPhraseOf({ before, after }: EditedFields, assignee: string | null): string {
  const added = (after.labels ?? []).filter((label) => !before.labels?.includes(label));
  const removed = (before.labels ?? []).filter((label) => !after.labels?.includes(label));
  const quoted = (labels: string[]) => labels.map((label) => `“${label}”`).join(', ');
  const parts = [
    after.assigneeId && `assigned it to ${assignee ?? formerMember}`,
    after.assigneeId === null && 'removed the assignee',
    after.ticketUrl && `linked the ticket ${after.ticketUrl}`,
    after.ticketUrl === null && 'removed the ticket',
    added.length > 0 && `added ${quoted(added)}`,
    removed.length > 0 && `removed ${quoted(removed)}`,
  ];
  return parts.filter((part) => typeof part === 'string').join(', ');
}

const reasonOf = (reason: string | null): string => dismissReasonNames[reason as DismissReason] ?? reason ?? '';

const selectDecisions = (db: Tx['db'], orgId: string, findingId: string) =>
  db
    .selectFrom('finding_decision as d')
    .leftJoin('visible_account as a', 'a.id', 'd.account_id')
    .where('d.org_id', '=', orgId)
    .where('d.finding_id', '=', findingId)
    .select(
      sql<
        string | null
      >`(select v.name from visible_account v where v.id = (d.other -> 'after' ->> 'assigneeId')::uuid)`.as('assignee'),
    )
    .select(['d.at', 'd.kind', 'd.reason', 'd.comment', 'd.until', 'd.other', 'd.account_id', 'a.name']);

type DecisionRow = Awaited<ReturnType<ReturnType<typeof selectDecisions>['execute']>>[number];

/** Display name of a deleted account. */
const formerMember = 'Former member';

/** Which findings are closed: fixed, dismissed or excepted. One that was merged into another, which has its own ticket, is too. */
export async function doneFindings(tx: Tx, orgId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ id: string }>({
    name: 'triage.open-findings',
    text: `select id from finding where org_id = $1 and id = any($2::uuid[]) and status = 'open'`,
    values: [orgId, ids],
  });
  const open = new Set(rows.map(({ id }) => id));
  return new Set(ids.filter((id) => !open.has(id)));
}
