import { factId, newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Tx } from '#database/database.ts';
import type { HostPush } from '#providers/host-evidence.ts';
import type { BranchPush } from '../../sources/webhooks/topics.ts';
import { MAX_COMMITS_PER_PUSH, maybeBranchStart, type PushRow } from './chain.ts';
import type { StoredPushState } from './push-states.ts';
import type { RecordedRepository } from './scope.ts';

export type RepositoryOfPush = Pick<RecordedRepository, 'orgId' | 'repositoryId' | 'provider' | 'defaultBranch'>;

/** Serializes changes to the stored pushes of branches, and of pull requests: those are named by `pushesOfPullRequest`. */
export const lockBranch = (tx: Tx, repositoryId: string, ...branches: string[]) =>
  tx.query({
    name: 'changes.lockBranch',
    // In one order, so that two transactions never wait for each other.
    text: `select pg_advisory_xact_lock(hashtextextended(l.key, 7318203))
           from (select key from unnest($1::text[]) as key order by key offset 0) l`,
    values: [branches.map((branch) => `${repositoryId} ${branch}`)],
  });

/** Differs from every name of a branch, which contains no space. */
export const pushesOfPullRequest = (number: number): string => `pull request ${number}`;

/** Stores the head of a branch at its first check; returns the stored one. */
export async function storeStart(
  tx: Tx,
  { orgId, repositoryId }: RepositoryOfPush,
  branch: string,
  head: string,
): Promise<string> {
  await tx.query({
    name: 'changes.starts',
    text: `insert into branch_start (org_id, repository_id, branch, sha) values ($1, $2, $3, $4) on conflict do nothing`,
    values: [orgId, repositoryId, branch, head],
  });
  return (await maybeBranchStart(tx, orgId, repositoryId, branch)) ?? head;
}

export interface Gap {
  before: string | null;
  after: string | null;
}

/** ID of the loss between two commits. */
export const lossId = ({ repositoryId }: RepositoryOfPush, branch: string, { before, after }: Gap) =>
  factId('push', repositoryId, branch, before ?? '', after ?? '', 0);

/**
 * The pushes since the first open loss; empty without one. The last push before a loss may be much older than its
 * detection.
 */
export const pushesSinceLoss = (
  tx: Tx,
  { orgId, repositoryId }: RepositoryOfPush,
  branch: string,
): Promise<PushRow[]> =>
  tx.query<PushRow>({
    name: 'changes.lost',
    text: `with lost as (
             select min(least(b.pushed_at - interval '30 days', (
               select max(s.pushed_at) from branch_push s where s.org_id = $1 and s.repository_id = $2 and s.branch = $3
                 and s.before_sha = b.before_sha and s.id <> b.id))) as at
             from branch_push b where org_id = $1 and repository_id = $2 and branch = $3 and completeness = 'lost'
               and not exists (select from branch_push n where n.org_id = $1 and n.id = b.id and n.version > b.version))
           select distinct on (id) id, version, before_sha, after_sha, pushed_at, time_source, forced, completeness, source, activity from branch_push, lost
           where org_id = $1 and repository_id = $2 and branch = $3 and lost.at is not null
             and pushed_at >= lost.at
           order by id, version desc`,
    values: [orgId, repositoryId, branch],
  });

/** Stores a version of a push with its ledger entry. Of a larger push, only the newest commits are stored. */
export async function savePush(
  tx: Tx,
  {
    repositoryOfPush: { orgId, repositoryId, provider },
    push,
    id,
    version,
    completeness,
    pusher,
  }: {
    repositoryOfPush: RepositoryOfPush;
    push: BranchPush;
    id: string;
    version: number;
    completeness: StoredPushState;
    pusher: string | null;
  },
): Promise<void> {
  const forced = push.isForced === null ? 'unknown' : push.isForced ? 'yes' : 'no';
  const commits = push.shas.slice(-MAX_COMMITS_PER_PUSH);
  const state = completeness === 'complete' && commits.length < push.shas.length ? 'truncated' : completeness;
  const { branch, before, after, activity } = push;
  const at = new Date(push.at).toISOString();
  const count = commits.length;
  const subject = {
    push: id,
    version,
    repository: repositoryId,
    branch,
    before,
    after,
    forced,
    completeness: state,
    activity,
    commits: count,
  };
  const receivedAt = new Date().toISOString();
  const fact = {
    id: newId(),
    org: orgId,
    kind: 'push',
    asOf: at,
    receivedAt,
    person: pusher,
    source: provider,
    subject,
    personal: {},
  };
  await appendEntries(tx, orgId, [createLedgerEntry(fact, undefined)]);
  await tx.query({
    name: 'changes.push',
    text: `insert into branch_push (org_id, id, version, repository_id, branch, before_sha, after_sha, pushed_at, time_source, pusher,
             forced, completeness, commits, source, activity, entry_id)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    values: [
      orgId,
      id,
      version,
      repositoryId,
      branch,
      before,
      after,
      at,
      push.atKnown,
      pusher,
      forced,
      state,
      commits,
      push.source,
      activity,
      fact.id,
    ],
  });
}

interface UnnamedPush extends PushRow {
  pusher: string | null;
  shas: string[];
}

/**
 * Adds to each stored push what the activity list of the host names it, as a version with its ledger entry. Returns the
 * changed pushes.
 */
export async function saveActivities(
  tx: Tx,
  where: RepositoryOfPush,
  branch: string,
  listed: readonly HostPush[],
): Promise<{ id: string; commits: string[] }[]> {
  const named = listed.filter(({ activity, after }) => activity !== null && after !== null);
  if (named.length === 0) return [];
  await lockBranch(tx, where.repositoryId, branch);
  // A webhook without a time of the host may have been received days later.
  const rows = await tx.query<UnnamedPush>({
    name: 'changes.unnamedPushes',
    text: `select distinct on (b.id) b.id, b.version, b.before_sha, b.after_sha, b.pushed_at, b.time_source, b.pusher, b.forced,
             b.completeness, b.source, b.commits as shas, l.activity
           from unnest($4::text[], $5::text[], $6::timestamptz[], $7::text[]) as l(before, after, at, activity)
           join branch_push b on b.org_id = $1 and b.repository_id = $2 and b.branch = $3
             and b.before_sha is not distinct from l.before and b.after_sha = l.after
             and b.pushed_at between l.at - interval '10 minutes'
               and l.at + case when b.time_source = 'received' then interval '3 days' else interval '10 minutes' end
           where b.activity is null and b.completeness in ('complete', 'truncated')
             and not exists (select from branch_push n where n.org_id = $1 and n.id = b.id and n.version > b.version)
           order by b.id, abs(extract(epoch from b.pushed_at - l.at))`,
    values: [
      where.orgId,
      where.repositoryId,
      branch,
      named.map(({ before }) => before),
      named.map(({ after }) => after),
      named.map(({ at }) => at),
      named.map(({ activity }) => activity),
    ],
  });
  for (const { id, version, shas, pusher, completeness, ...row } of rows) {
    const push: BranchPush = {
      branch,
      before: row.before_sha,
      after: row.after_sha,
      at: row.pushed_at.toISOString(),
      atKnown: row.time_source,
      pusher: null,
      isForced: row.forced === 'unknown' ? null : row.forced === 'yes',
      shas,
      isWhole: completeness === 'complete',
      source: row.source,
      activity: row.activity,
    };
    await savePush(tx, { repositoryOfPush: where, push, id, version: version + 1, completeness, pusher });
  }
  return rows.map(({ id, shas }) => ({ id, commits: shas }));
}

/** What the activity list of the host names the first stored push with a commit; null if unknown. */
// Plan: index scan of the pushes of the branch in two weeks.
export async function activityOfCommit(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  { mergeSha, baseRef, mergedAt }: { mergeSha: string | null; baseRef: string; mergedAt: string },
): Promise<PushRow['activity']> {
  const [row] = await tx.query<Pick<PushRow, 'activity'> & Record<string, unknown>>({
    name: 'changes.activityOfCommit',
    text: `select activity from branch_push
           where org_id = $1 and repository_id = $2 and branch = $4 and (after_sha = $3 or $3 = any(commits))
             and pushed_at between $5::timestamptz - interval '7 days' and $5::timestamptz + interval '7 days'
             and completeness in ('complete', 'truncated')
           order by pushed_at, id, version desc limit 1`,
    values: [orgId, repositoryId, mergeSha, baseRef, mergedAt],
  });
  return row?.activity ?? null;
}
