import type { Actor } from '@sightline/evidence/controls/persons.ts';
import { factId, newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { HostPullRequest } from '../../../providers/host-facts.ts';
import type { BranchPush } from '../../sources/webhooks/topics.ts';
import { resolveActors } from './actors.ts';
import { queueChange } from './change-queue.ts';
import type { RecordedRepository } from './scope.ts';
import { actorOf } from './stored-facts.ts';

type RepositoryOfHead = Pick<RecordedRepository, 'orgId' | 'repositoryId' | 'provider'>;

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
  const [branch, id, at] = [branchOf(repositoryId, push.branch), newId(), push.at];
  const added = await tx.query<{ sha: string }>({
    name: 'changes.branchPush',
    text: `insert into head_push (org_id, repository_id, branch, sha, at, pusher, entry_id) values ($1, $2, $3, $4, $5, $6, $7)
           on conflict do nothing returning sha`,
    values: [orgId, repositoryId, branch, push.after, at, person, id],
  });
  if (added.length === 0) return;
  const subject = { repository: repositoryId, branch, sha: push.after };
  const receivedAt = new Date().toISOString();
  const fact = { id, org: orgId, kind: 'branch.pushed', asOf: at, receivedAt, person, source: provider, subject };
  await appendEntries(tx, orgId, [createLedgerEntry({ ...fact, personal: {} }, undefined)]);
  await queueMergesOfHead(services, tx, orgId, { repositoryId, head: push.after });
}

/** Queues the records of merges whose last push was reported afterwards. Ignores webhooks more than a week late. */
export async function queueMergesOfHead(
  services: Services,
  tx: Tx,
  orgId: string,
  { repositoryId, head }: { repositoryId: string; head: string },
): Promise<void> {
  const merges = await tx.query<{ number: number }>({
    name: 'changes.mergesOf',
    text: `select distinct number from change_record where org_id = $1 and repository_id = $2
             and merged_at >= now() - interval '7 days' and head_sha = $3 and number is not null`,
    values: [orgId, repositoryId, head],
  });
  for (const { number } of merges)
    await queueChange(services, tx, orgId, { repositoryId, change: { number }, cause: 'push' });
}

/**
 * Returns who last pushed a commit to the branch of a pull request, as reported by webhooks; undefined if none reported
 * it. `branch` is null if it is in another repository.
 */
export async function maybeHeadPusher(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  { number, branch, sha }: { number: number; branch: string | null; sha: string },
): Promise<Actor | undefined> {
  const [row] = await tx.query<{ pusher: string }>({
    name: 'changes.headPusher',
    text: `select pusher from (
             select pusher, at, id::text as id from pull_request_push
             where org_id = $1 and repository_id = $2 and number = $3 and sha = $4 and pusher is not null
             union all
             select pusher, at, entry_id::text from head_push
             where org_id = $1 and repository_id = $2 and branch = $5::uuid and sha = $4) pushes
           order by at desc, id limit 1`,
    values: [orgId, repositoryId, number, sha, branch === null ? null : branchOf(repositoryId, branch)],
  });
  return row && actorOf(tx, orgId, row.pusher);
}

/** The fields of a pull request that identify its last pusher. */
export const pullRequestHead = ({ number, headRef, headSha, isFromFork }: HostPullRequest) => ({
  number,
  sha: headSha,
  branch: isFromFork === true ? null : headRef,
});

const branchOf = (repositoryId: string, branch: string): string => factId('branch', repositoryId, branch);
