import type { Change, ChangeReview, NamedTicketView } from '@sightline/contract/compliance/changes.ts';
import { assessApproval } from '@sightline/evidence/controls/approval.ts';
import type { NamedTicket } from '@sightline/evidence/controls/change-rows.ts';
import type { Fact } from '@sightline/evidence/controls/facts.ts';
import { explainReason } from '@sightline/evidence/controls/reasons.ts';
import type { Actor } from '#core/actor.ts';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { findProtectionSnapshot } from '../../sources/protection/queries.ts';
import { findAttribution } from './attribution/find-attribution.ts';
import type { PartSource } from './host-answer.ts';
import { type ChangeRecord, changeItem, visibleChanges } from './list.ts';
import { type ActorDisplay, loadActorDisplay } from './names.ts';
import { type ChangeParts, listFrom, type PartName, personIdsOf } from './parts.ts';
import { approvalRow, type RecordRow } from './rows.ts';
import { scansOfChange } from './scans.ts';
import { findPush } from './stored-facts.ts';

/**
 * Returns the record of a change at a version, by default the latest. Throws 404 if it is not visible to the reader.
 */
export async function findChangeRecord(tx: Tx, actor: Actor, id: string, version?: number): Promise<ChangeRecord> {
  const row = await visibleChanges(tx, actor)
    .where('c.id', '=', id)
    .$if(version !== undefined, (query) => query.where('c.version', '=', version ?? 0))
    .orderBy('c.version', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) throw NotFound('Change');
  return row;
}

/** Returns a change with the source of each part, the branch protection, and all versions of its record. */
export async function findChange(tx: Tx, actor: Actor, id: string, version?: number): Promise<Change> {
  const row = await findChangeRecord(tx, actor, id, version);
  const parts = row.parts as unknown as ChangeParts;
  const named = listFrom(parts.namedTickets ?? missing);
  const assignees = named.flatMap(({ assignee }) => (assignee.state === 'missing' ? [] : (assignee.value ?? [])));
  const show = await loadActorDisplay(tx, actor.orgId, [...row.persons, ...personIdsOf(assignees)]);
  const ticketsNow = await findTicketsNow(tx, actor.orgId, named);
  return {
    ...changeItem(row, show),
    approvalReasons: reasonsOf(row, parts),
    commits: await commitsOf(tx, actor.orgId, row),
    parts: partsOf(row, show, ticketsNow),
    protection: row.protection_id === null ? null : await findProtectionSnapshot(tx, actor.orgId, row.protection_id),
    attribution: await findAttribution(tx, actor.orgId, row),
    scans: actor.reach('read:vulnerabilities') === undefined ? null : await scansOfChange(tx, actor.orgId, row),
    versions: await versionsOf(tx, actor.orgId, id),
  };
}

function reasonsOf(row: ChangeRecord, parts: ChangeParts): Change['approvalReasons'] {
  const evaluated = approvalRow(parts, row.merge_method as RecordRow['mergeMethod'], row.merged_at.toISOString());
  const { failures, missing } = assessApproval(evaluated, 1);
  const codes = failures.length > 0 ? failures : missing.length > 0 ? missing : (['independent_approval'] as const);
  return [...new Set(codes)].flatMap((code) => explainReason(code) ?? []);
}

function partsOf(row: ChangeRecord, show: ActorDisplay, ticketsNow: TicketsNow): Change['parts'] {
  const parts = row.parts as unknown as ChangeParts;
  const sources = row.sources as unknown as Partial<Record<PartName, PartSource>>;
  // Records of earlier versions lack parts.
  const lacking = { state: 'missing', reason: 'not_requested', fetchedAt: row.merged_at.toISOString() } as const;
  const head = parts.headSha.state === 'complete' ? parts.headSha.value : undefined;
  const required = new Set(parts.requiredChecks.state === 'missing' ? [] : parts.requiredChecks.value);
  const of = <Value, Shown>(name: PartName, fact: Fact<Value>, shown: (value: Value) => Shown) => {
    const { state, reason, fetchedAt } = sources[name] ?? lacking;
    return { state, reason, fetchedAt, value: fact.state === 'missing' ? null : shown(fact.value) };
  };
  const same = <Value>(value: Value): Value => value;
  const list = <Item>(items: readonly Item[]): Item[] => [...items];
  return {
    authors: of('authors', parts.authors, (all) => all.map(show)),
    sessionOwners: of('sessionOwners', parts.sessionOwners, (all) => all.map(show)),
    ai: of('ai', parts.ai, list),
    headSha: of('headSha', parts.headSha, same),
    lastPusher: of('lastPusher', parts.lastPusher, show),
    earlierPushers: of('earlierPushers', parts.earlierPushers, (all) => all.map(show)),
    unattestedCommits: of('unattestedCommits', parts.unattestedCommits, same),
    lastPushAt: of('lastPushAt', parts.lastPushAt, same),
    reviews: of('reviews', parts.reviews, (all) => all.map((review) => reviewOf(review, head, show))),
    unreviewedFiles: of('unreviewedFiles', parts.unreviewedFiles, same),
    hostActivity: of('hostActivity', parts.hostActivity, same),
    requiredChecks: of('requiredChecks', parts.requiredChecks, list),
    checks: of('checks', parts.checks, (all) =>
      all.map((check) => ({ ...check, app: check.app ?? null, isRequired: required.has(check.name) })),
    ),
    sourceBranch: of('sourceBranch', parts.sourceBranch, same),
    labels: of('labels', parts.labels, list),
    tickets: of('tickets', parts.tickets, list),
    namedTickets: of('namedTickets', parts.namedTickets ?? missing, (all) =>
      all.map((ticket) => namedTicketOf(ticket, show, ticketsNow)),
    ),
    linkedIssues: of('linkedIssues', parts.linkedIssues, same),
    pathMatches: of('pathMatches', parts.pathMatches, list),
    changedLines: of('changedLines', parts.changedLines, same),
    configuredServers: of('configuredServers', parts.configuredServers, list),
    mergeRequestedBy: of('mergeRequestedBy', parts.mergeRequestedBy, show),
    mergedBy: of('mergedBy', parts.mergedBy, show),
  };
}

const missing = { state: 'missing' } as const;

type TicketsNow = ReadonlyMap<string, NamedTicketView['now']>;
const nameOfTicket = (tracker: string | null, id: string | null) => `${tracker} ${id}`;

/** Where recorded tickets are now, by tracker and ID. */
async function findTicketsNow(tx: Tx, orgId: string, named: readonly NamedTicket[]): Promise<TicketsNow> {
  const found = named.flatMap(({ tracker, id }) => (tracker === null || id === null ? [] : [{ tracker, id }]));
  if (found.length === 0) return new Map();
  const rows = await tx.db
    .selectFrom('ticket')
    .where('org_id', '=', orgId)
    .where(
      'tracker',
      'in',
      found.map(({ tracker }) => tracker),
    )
    .where(
      'external_id',
      'in',
      found.map(({ id }) => id),
    )
    .select(['tracker', 'external_id', 'key', 'state', 'url'])
    .execute();
  return new Map(
    rows.map(({ tracker, external_id: id, key, state, url }) => [
      nameOfTicket(tracker, id),
      { key, url, state: state as 'present' | 'missing' },
    ]),
  );
}

const namedTicketOf = (
  { key, tracker, state, id, type, status, assignee }: NamedTicket,
  show: ActorDisplay,
  now: TicketsNow,
): NamedTicketView => ({
  key,
  tracker: tracker as NamedTicketView['tracker'],
  state,
  type,
  status: status.state === 'missing' ? null : status.value,
  assignee: assignee.state === 'missing' || assignee.value === null ? null : show(assignee.value),
  now: now.get(nameOfTicket(tracker, id)) ?? null,
});

type RecordedReview = Extract<ChangeParts['reviews'], { value: unknown }>['value'][number];

function reviewOf(review: RecordedReview, head: string | undefined, show: ActorDisplay): ChangeReview {
  const { dismissedAt, commit, byActiveMember: member } = review;
  const at = dismissedAt.state === 'missing' ? undefined : dismissedAt.value;
  const sha = commit.state === 'complete' ? commit.value : null;
  return {
    id: review.id,
    by: show(review.by),
    verdict: review.verdict,
    submittedAt: review.submittedAt,
    dismissedAt: at ?? null,
    isDismissed: at === undefined ? 'unknown' : truth(at !== null),
    commit: sha,
    isForHead: sha === null || head === undefined ? 'unknown' : truth(sha === head),
    wasMember: member.state === 'complete' ? truth(member.value) : 'unknown',
  };
}

const truth = (value: boolean) => (value ? 'yes' : 'no');

const MAX_COMMITS = 250;

/** The commits of a direct push without a pull request, newest last. */
async function commitsOf(tx: Tx, orgId: string, row: ChangeRecord): Promise<Change['commits']> {
  const push = row.push_id === null ? undefined : await findPush(tx, orgId, row.push_id);
  if (!push) return [];
  const rows = await tx.query<{ sha: string; message: string | null; authored_at: Date | null }>({
    name: 'changes.commits',
    text: `select n.sha, c.message, c.authored_at from unnest($4::text[]) with ordinality as n(sha, ord)
           left join commit c on c.org_id = $1 and c.repository_id = $2 and c.sha = n.sha
           where (select r.reached_by from reached_commit r where r.org_id = $1 and r.push_id = $3 and r.sha = n.sha
             order by r.version desc limit 1) = 'none'
           order by n.ord`,
    values: [orgId, row.repository_id, push.id, push.commits.slice(-MAX_COMMITS)],
  });
  return rows.map(({ sha, message, authored_at: at }) => ({
    sha,
    message,
    authoredAt: at?.toISOString() ?? null,
    url: `${row.html_url}/commit/${sha}`,
  }));
}

async function versionsOf(tx: Tx, orgId: string, id: string): Promise<Change['versions']> {
  const rows = await tx.query<{
    version: number;
    recorded_at: Date;
    cause: Change['versions'][number]['cause'];
    approval: Change['approval'];
    missing: Change['missing'];
    entry_id: string;
    leaf: number | null;
  }>({
    name: 'changes.versions',
    text: `select c.version, c.recorded_at, c.cause, c.approval, c.missing, c.entry_id,
             (select e.leaf_index::int from ledger_entry e where e.org_id = $1 and e.entry_id = c.entry_id order by e.epoch limit 1) as leaf
           from change_record c where c.org_id = $1 and c.id = $2 order by c.version desc`,
    values: [orgId, id],
  });
  return rows.map(({ recorded_at: recordedAt, entry_id: entryId, ...row }) => ({
    ...row,
    recordedAt: recordedAt.toISOString(),
    entryId,
  }));
}
