import type { Fact } from '@sightline/evidence/controls/facts.ts';
import { knownItems } from '@sightline/evidence/controls/facts.ts';
import { PROTECTION_VALID_MINUTES } from '@sightline/evidence/controls/protection-polling.ts';
import type { RevisionFacts } from '@sightline/evidence/slsa/assess-revision.ts';
import type { BranchHistory, BranchRevision, ControlSnapshot } from '@sightline/evidence/slsa/branch-history.ts';
import type { Tx } from '#database/database.ts';
import { listProtectionBetween, type ProtectionSnapshot, requiredNames } from '../../sources/protection/queries.ts';
import { listDisabledTimes } from '../../sources/repositories/queries.ts';
import type { ChangeRecord } from './list.ts';
import type { ChangeParts } from './parts.ts';
import { changeRow, checksRow, type RecordRow } from './rows.ts';

const MAX_REVISIONS = 200;
const MAX_PUSHES = 2 * MAX_REVISIONS;
const VALID_MS = PROTECTION_VALID_MINUTES * 60_000;
const missing = { state: 'missing' } as const;
const known = <Value>(value: Value): Fact<Value> => ({ state: 'complete', value });

/** A revision with the recorded facts that its SLSA level is derived from, and the push that brought it. */
export interface RecordedRevision {
  facts: RevisionFacts;
  push: PushOfRevision | undefined;
  snapshot: ProtectionSnapshot | undefined;
}

/** Loads the recorded facts about the revision of a change. */
export async function loadRevision(tx: Tx, orgId: string, row: ChangeRecord): Promise<RecordedRevision> {
  const { merge_sha: mergeSha } = row;
  const mergedAt = row.merged_at.toISOString();
  const push = mergeSha === null ? undefined : await maybePushOf(tx, orgId, row, mergeSha);
  const pushes = push ? await chainTo(tx, orgId, row, push) : { revisions: [], hasMore: false };
  const oldest = pushes.revisions.at(-1)?.pushedAt ?? mergedAt;
  const snapshots = await listProtectionBetween(tx, orgId, {
    repositoryId: row.repository_id,
    branch: row.branch,
    from: new Date(Math.min(Date.parse(oldest), Date.parse(mergedAt)) - VALID_MS).toISOString(),
    to: new Date(Date.parse(mergedAt) + VALID_MS).toISOString(),
  });
  const snapshot = snapshots.find(({ id }) => id === row.protection_id);
  const observedUntil = snapshot && snapshot.capturedAt > mergedAt ? snapshot.capturedAt : mergedAt;
  const { cameByPullRequests, others } = push ? await commitsOf(tx, orgId, push) : unknownCommits;
  const record = recordRow(row);
  const required = knownItems(record.parts.requiredChecks);
  return {
    push,
    snapshot,
    facts: {
      mergedAt,
      observedUntil,
      recordedAt: await firstRecordedAt(tx, orgId, row.id),
      mergeSha: mergeSha === null ? missing : known(mergeSha),
      change: changeRow(record),
      checks: checksRow(record, {
        requiredApps: snapshot?.rules.requiredApps ?? missing,
        disabledChecks:
          record.parts.requiredChecks.state === 'complete'
            ? checksBefore(snapshots, mergedAt).filter((name) => !required.includes(name))
            : [],
      }),
      history: {
        ...pushes,
        snapshots: snapshots.filter(({ capturedAt }) => capturedAt <= observedUntil).map(controlSnapshot),
        disabled: await listDisabledTimes(tx, orgId, row.repository_id),
      },
      cameByPullRequests,
      otherApprovals: await approvalsOf(
        tx,
        orgId,
        row,
        others.filter((number) => number !== row.number),
      ),
    },
  };
}

const recordRow = (row: ChangeRecord): RecordRow => ({
  id: row.id,
  repository_id: row.repository_id,
  branch: row.branch,
  is_default_branch: row.is_default_branch,
  mergeMethod: row.merge_method as RecordRow['mergeMethod'],
  merged_at: row.merged_at,
  protection_id: row.protection_id,
  leaf: null,
  parts: row.parts as unknown as ChangeParts,
});

/** Names of the checks that snapshots shortly before the merge required, if all of them are known. */
const checksBefore = (snapshots: readonly ProtectionSnapshot[], mergedAt: string): string[] => [
  ...new Set(
    snapshots
      .filter(({ capturedAt: at }) => at <= mergedAt && Date.parse(at) >= Date.parse(mergedAt) - VALID_MS)
      .flatMap(({ rules }) => requiredNames(rules)),
  ),
];

const controlSnapshot = ({ capturedAt, rules }: ProtectionSnapshot): ControlSnapshot => ({
  capturedAt,
  requiredReviews: rules.requiredReviews,
  requiredCheckCount: rules.requiredCheckCount ?? missing,
  dismissesStaleReviews: rules.dismissesStaleReviews,
  allowsForcePush: rules.allowsForcePush,
  allowsDeletion: rules.allowsDeletion,
  includesAdmins: rules.includesAdmins,
  protectsTags: rules.protectsTags ?? missing,
});

interface PushOfRevision {
  [column: string]: unknown;
  id: string;
  before: string | null;
  after: string | null;
  at: Date;
  forced: 'yes' | 'no' | 'unknown';
  completeness: BranchRevision['completeness'];
  pusher: string | null;
  entry: string;
}

const pushColumns =
  'b.id, b.before_sha as before, b.after_sha as after, b.pushed_at as at, b.forced, b.completeness, b.pusher, b.entry_id as entry';
const isCurrent = `b.completeness <> 'recovered' and not exists (
  select from branch_push n where n.org_id = b.org_id and n.id = b.id and n.version > b.version)`;
const ofBranch = 'b.org_id = $1 and b.repository_id = $2 and b.branch = $3';

/** The first push that made a commit reachable from the branch. */
async function maybePushOf(
  tx: Tx,
  orgId: string,
  { repository_id: repositoryId, branch, push_id: pushId }: ChangeRecord,
  sha: string,
): Promise<PushOfRevision | undefined> {
  const [push] = await tx.query<PushOfRevision>({
    name: 'changes.push-of-revision',
    text: `select ${pushColumns} from branch_push b where ${ofBranch} and ${isCurrent} and b.after_sha is not null
             and (b.id = $5 or $5::uuid is null and (b.after_sha = $4 or b.id in (
               select c.push_id from reached_commit c where c.org_id = $1 and c.repository_id = $2 and c.sha = $4)))
           order by b.pushed_at, b.id limit 1`,
    values: [orgId, repositoryId, branch, sha, pushId],
  });
  return push;
}

/** The pushes that lead to a push, newest first: each starts where the one before it ended. */
async function chainTo(
  tx: Tx,
  orgId: string,
  { repository_id: repositoryId, branch }: ChangeRecord,
  push: PushOfRevision,
): Promise<Pick<BranchHistory, 'revisions' | 'hasMore'>> {
  const earlier = await tx.query<PushOfRevision>({
    name: 'changes.pushes-before',
    text: `select ${pushColumns} from branch_push b where ${ofBranch} and ${isCurrent} and b.pushed_at <= $4 and b.id <> $5
           order by b.pushed_at desc, b.id desc limit ${MAX_PUSHES}`,
    values: [orgId, repositoryId, branch, push.at, push.id],
  });
  const chain = [push];
  const open = new Set(earlier);
  for (let { before } = push; before !== null && chain.length < MAX_REVISIONS; ) {
    const next = [...open].find(({ after }) => after === before);
    if (!next) break;
    open.delete(next);
    chain.push(next);
    before = next.before;
  }
  const hasMore = chain.length === MAX_REVISIONS || earlier.length === MAX_PUSHES;
  return { revisions: chain.map(revisionOf), hasMore };
}

const revisionOf = ({ id, before, after, at, forced, completeness, pusher }: PushOfRevision): BranchRevision => ({
  push: id,
  before,
  after,
  pushedAt: at.toISOString(),
  isForced: forced === 'unknown' ? missing : known(forced === 'yes'),
  completeness,
  pusher,
});

const unknownCommits = { cameByPullRequests: missing, others: [] as number[] };

/** Whether all commits of a push came by pull requests, and the numbers of these. */
async function commitsOf(
  tx: Tx,
  orgId: string,
  { id, completeness }: PushOfRevision,
): Promise<{ cameByPullRequests: Fact<boolean>; others: number[] }> {
  const commits = await tx.query<{ by: 'merged_pull_request' | 'none' | 'unknown'; number: number | null }>({
    name: 'changes.commits-of-push',
    text: `select distinct on (sha) reached_by as by, number from reached_commit
           where org_id = $1 and push_id = $2 order by sha, version desc`,
    values: [orgId, id],
  });
  const isUnknown = completeness !== 'complete' || commits.length === 0 || commits.some(({ by }) => by === 'unknown');
  const isDirect = commits.some(({ by }) => by === 'none');
  return {
    cameByPullRequests: isDirect ? known(false) : isUnknown ? missing : known(true),
    others: [...new Set(commits.flatMap(({ number }) => number ?? []))],
  };
}

/** The approval of the latest record of each pull request; unknown without a record. */
async function approvalsOf(
  tx: Tx,
  orgId: string,
  { repository_id: repositoryId }: ChangeRecord,
  numbers: readonly number[],
): Promise<('yes' | 'no' | 'unknown')[]> {
  if (numbers.length === 0) return [];
  const rows = await tx.query<{ number: number; approval: 'yes' | 'no' | 'unknown' }>({
    name: 'changes.approvals-of',
    text: `select distinct on (number) number, approval from change_record
           where org_id = $1 and repository_id = $2 and number = any($3::int[]) order by number, version desc`,
    values: [orgId, repositoryId, numbers],
  });
  return numbers.map((number) => rows.find((row) => row.number === number)?.approval ?? 'unknown');
}

async function firstRecordedAt(tx: Tx, orgId: string, id: string): Promise<string> {
  const [first] = await tx.query<{ at: Date }>({
    name: 'changes.first-recorded',
    text: 'select recorded_at as at from change_record where org_id = $1 and id = $2 order by version limit 1',
    values: [orgId, id],
  });
  if (!first) throw new Error('The change has no record');
  return first.at.toISOString();
}
