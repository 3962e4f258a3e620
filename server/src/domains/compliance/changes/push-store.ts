import { factId, newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Tx } from '#database/database.ts';
import type { BranchPush } from '../../sources/webhooks/topics.ts';
import { MAX_COMMITS_PER_PUSH, maybeBranchStart, type PushRow } from './chain.ts';
import type { StoredPushState } from './push-states.ts';
import type { RecordedRepository } from './scope.ts';

export type RepositoryOfPush = Pick<RecordedRepository, 'orgId' | 'repositoryId' | 'provider' | 'defaultBranch'>;

/** Serializes changes to the stored pushes of a branch. */
export const lockBranch = (tx: Tx, repositoryId: string, branch: string) =>
  tx.query({
    name: 'changes.lockBranch',
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 7318203))',
    values: [`${repositoryId} ${branch}`],
  });

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
           select distinct on (id) id, version, before_sha, after_sha, pushed_at, time_source, forced, completeness, source from branch_push, lost
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
  const { branch, before, after } = push;
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
             forced, completeness, commits, source, entry_id)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
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
      fact.id,
    ],
  });
}
