import type { Actor } from '@sightline/evidence/controls/persons.ts';
import { factId, newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { HostPullRequest } from '../../../providers/host-facts.ts';
import type { BranchPush } from '../../sources/webhooks/topics.ts';
import { resolveActors } from './actors.ts';
import { queueChange } from './change-queue.ts';
import { lockBranch } from './push-store.ts';
import type { RecordedRepository } from './scope.ts';
import { actorsOf } from './stored-facts.ts';

type RepositoryOfHead = Pick<RecordedRepository, 'orgId' | 'repositoryId' | 'provider'>;

interface LatePush {
  repositoryId: string;
  sha: string;
  /** As stored in `head_push`, if the webhook was about the branch. */
  branch?: string;
  /** If the webhook was about a pull request. */
  number?: number;
}

/** Stores who pushed to a branch, for later pull requests. Stores nothing if the pusher is unresolved. */
export async function recordHeadPush(
  services: Services,
  tx: Tx,
  where: RepositoryOfHead,
  push: BranchPush,
): Promise<void> {
  const { orgId, repositoryId, provider } = where;
  if (push.after === null || push.pusher === null) return;
  const [actor] = await resolveActors(services, tx, orgId, { provider, named: [push.pusher] });
  if (!actor || actor.identity === 'unresolved') return;
  const { person } = actor;
  await lockBranch(tx, repositoryId, push.branch);
  const [branch, id, at] = [branchOf(repositoryId, push.branch), newId(), push.at];
  const added = await tx.query<{ sha: string }>({
    name: 'changes.branchPush',
    text: `insert into head_push (org_id, repository_id, branch, before_sha, sha, at, pusher, entry_id)
           values ($1, $2, $3, $4, $5, $6, $7, $8)
           on conflict do nothing returning sha`,
    values: [orgId, repositoryId, branch, push.before, push.after, at, person, id],
  });
  if (added.length === 0) return;
  const subject = { repository: repositoryId, branch, sha: push.after };
  const receivedAt = new Date().toISOString();
  const fact = { id, org: orgId, kind: 'branch.pushed', asOf: at, receivedAt, person, source: provider, subject };
  await appendEntries(tx, orgId, [createLedgerEntry({ ...fact, personal: {} }, undefined)]);
  await queueMergesOfPush(services, tx, orgId, { repositoryId, sha: push.after, branch });
}

/**
 * Queues the records of merges whose last push, or an earlier one to the same branch or pull request, was reported
 * afterwards. Ignores webhooks more than a week late.
 */
export async function queueMergesOfPush(
  services: Services,
  tx: Tx,
  orgId: string,
  { repositoryId, sha, branch, number: own }: LatePush,
): Promise<void> {
  const merges = await tx.query<{ number: number }>({
    name: 'changes.mergesOf',
    text: `select distinct number from change_record where org_id = $1 and repository_id = $2
             and merged_at >= now() - interval '7 days' and number is not null
             and (head_sha = $3 or number = $4 or head_sha in (
               select h.sha from head_push h where h.org_id = $1 and h.repository_id = $2 and h.branch = $5))`,
    values: [orgId, repositoryId, sha, own ?? null, branch ?? null],
  });
  for (const { number } of merges)
    await queueChange(services, tx, orgId, { repositoryId, change: { number }, cause: 'push' });
}

/** Queues the records of merges that lack what the push of the merged commit tells: content to compare, or its activity. */
export async function queueMergesAt(
  services: Services,
  tx: Tx,
  orgId: string,
  { repositoryId, commits }: { repositoryId: string; commits: readonly string[] },
): Promise<void> {
  const merges = await tx.query<{ number: number }>({
    name: 'changes.mergesAt',
    text: `select distinct number from change_record where org_id = $1 and repository_id = $2
             and merged_at >= now() - interval '7 days' and merge_sha = any($3::text[]) and number is not null and missing && array['unreviewedFiles', 'hostActivity']`,
    values: [orgId, repositoryId, commits],
  });
  for (const { number } of merges)
    await queueChange(services, tx, orgId, { repositoryId, change: { number }, cause: 'push' });
}

/** A push that a webhook reported. `before`: null if it created the branch, undefined if unknown. */
export interface StoredHeadPush {
  sha: string;
  before: string | null | undefined;
  by: Actor;
  /** Whether the webhook was about the pull request, not only about its branch. */
  isOfPullRequest: boolean;
}

// Of a branch with more pushes, the newest are read.
const MAX_HEAD_PUSHES = 500;

/**
 * Returns the pushes to the branch of a pull request with a known pusher, as reported by webhooks, newest first.
 * `branch` is null if it is in another repository.
 */
export async function headPushesOf(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  { number, branch }: { number: number; branch: string | null },
): Promise<StoredHeadPush[]> {
  const rows = await tx.query<{ sha: string; before: string | null; pusher: string; isOfPullRequest: boolean }>({
    name: 'changes.headPushes',
    text: `select sha, before, pusher, is_own as "isOfPullRequest" from (
             select sha, null as before, pusher, at, id::text as id, true as is_own from pull_request_push
             where org_id = $1 and repository_id = $2 and number = $3 and pusher is not null
             union all
             select sha, before_sha, pusher, at, entry_id::text, false from head_push
             where org_id = $1 and repository_id = $2 and branch = $4::uuid) pushes
           order by at desc, id limit ${MAX_HEAD_PUSHES}`,
    values: [orgId, repositoryId, number, branch === null ? null : branchOf(repositoryId, branch)],
  });
  const actors = await actorsOf(
    tx,
    orgId,
    rows.map(({ pusher }) => pusher),
  );
  return rows.flatMap(({ sha, before, pusher, isOfPullRequest }) => {
    const by = actors.get(pusher);
    return by ? [{ sha, before: isOfPullRequest ? undefined : before, by, isOfPullRequest }] : [];
  });
}

/** The fields of a pull request that identify the pushes to its branch. */
export const pullRequestHead = ({ number, headRef, isFromFork }: HostPullRequest) => ({
  number,
  branch: isFromFork === true ? null : headRef,
});

const branchOf = (repositoryId: string, branch: string): string => factId('branch', repositoryId, branch);
