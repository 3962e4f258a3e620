import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { HostUser } from '../../../providers/host-facts.ts';
import type { BranchPush } from '../../sources/webhooks/topics.ts';
import { resolveActors } from './actors.ts';
import { type ChangeCause, enqueueDueChanges, enqueuePushImport, queueChange } from './change-queue.ts';
import { type OpenPullRequest, readOpenPullRequest } from './open-pull-request.ts';
import { queueMergesOfPush, recordHeadPush } from './pull-request-heads.ts';
import { lockBranch, pushesOfPullRequest } from './push-store.ts';
import { recordPush } from './pushes.ts';
import { queueSessions } from './reconciliation/queue.ts';
import { reportsActivity } from './rows.ts';
import type { RecordedRepository } from './scope.ts';

// Older merges are not recorded, because their evidence was not collected.
const MAX_MERGE_AGE_MS = 400 * 24 * 60 * 60 * 1000;

type RepositoryOfPush = Pick<RecordedRepository, 'orgId' | 'repositoryId' | 'provider' | 'defaultBranch'>;

/** Joins sessions to changes when their telemetry arrives. See reconciliation/. */
/** How an open pull request would be evaluated if it were merged now. See open-pull-request.ts. */
export { type OpenPullRequest, queueSessions, readOpenPullRequest };

/**
 * Records a push to a branch in scope, in the transaction that stores its commits. Without `hostListsPushes`, the
 * push cannot be read again, so its pusher is stored for later pull requests too, on any branch. Otherwise the activity
 * list of the host is read, which tells merges from direct pushes.
 */
export async function recordBranchPush(
  services: Services,
  tx: Tx,
  {
    where,
    push,
    hostListsPushes = true,
  }: { where: RepositoryOfPush; push: BranchPush; hostListsPushes?: boolean | undefined },
): Promise<void> {
  await recordPush(services, tx, where, push);
  if (reportsActivity(where.provider)) {
    await enqueuePushImport(services, tx, where.orgId, { repositoryId: where.repositoryId });
  }
  if (!hostListsPushes) await recordHeadPush(services, tx, where, push);
}

/** Queues the record of a merge, in the transaction that receives it. */
export async function queueMerge(
  services: Services,
  tx: Tx,
  orgId: string,
  {
    repositoryId,
    merge,
    cause = 'merge',
  }: { repositoryId: string; merge: { number: number; mergedAt: string }; cause?: ChangeCause | undefined },
): Promise<void> {
  if (Date.parse(merge.mergedAt) < Date.now() - MAX_MERGE_AGE_MS) return;
  await queueChange(services, tx, orgId, { repositoryId, change: { number: merge.number }, cause });
}

/** Records who pushed to the branch of a pull request, as reported by a webhook. */
export async function recordPullRequestPush(
  services: Services,
  tx: Tx,
  {
    where,
    number,
    push,
  }: { where: RepositoryOfPush; number: number; push: { sha: string; pusher: HostUser | null; receivedAt: string } },
): Promise<void> {
  const { orgId, repositoryId, provider } = where;
  const [actor] = push.pusher ? await resolveActors(services, tx, orgId, { provider, named: [push.pusher] }) : [];
  const pusher = actor && actor.identity !== 'unresolved' ? actor.person : null;
  const at = push.receivedAt;
  const subject = { repository: repositoryId, number, sha: push.sha };
  const fact = {
    id: newId(),
    org: orgId,
    kind: 'pull_request.pushed',
    asOf: at,
    receivedAt: at,
    person: pusher,
    source: provider,
    subject,
    personal: {},
  };
  await lockBranch(tx, repositoryId, pushesOfPullRequest(number));
  const added = await tx.query<{ id: string }>({
    name: 'changes.headPush',
    text: `insert into pull_request_push (org_id, repository_id, number, id, sha, at, time_source, pusher, entry_id)
           select $1, $2, $3, $4, $5, $6, 'received', $7, $4
           where not exists (select from pull_request_push where org_id = $1 and repository_id = $2 and number = $3 and sha = $5
             and at = $6::timestamptz)
           returning id`,
    values: [orgId, repositoryId, number, fact.id, push.sha, at, pusher],
  });
  if (added.length === 0) return;
  await appendEntries(tx, orgId, [createLedgerEntry(fact, undefined)]);
  await queueMergesOfPush(services, tx, orgId, { repositoryId, sha: push.sha, number });
}

/** Queues the records that name these persons, after persons were merged. */
export async function queueChangesOfMergedPersons(
  services: Services,
  tx: Tx,
  orgId: string,
  persons: readonly string[],
): Promise<void> {
  const added = await tx.query<{ id: string }>({
    name: 'changes.ofPersons',
    text: `insert into change_task (org_id, id, repository_id, number, push_id, cause)
           select distinct on (c.id) c.org_id, c.id, c.repository_id, case when c.push_id is null then c.number end, c.push_id, 'identity'
           from change_record c where c.org_id = $1 and c.persons && $2::uuid[]
           on conflict (org_id, id) do update set due_at = excluded.due_at, attempt = 0
           returning id`,
    values: [orgId, persons],
  });
  if (added.length > 0) await enqueueDueChanges(services, tx, orgId);
}

/**
 * Queues the records that name at least two of these persons, after they were linked or unlinked. Covers all
 * repositories unless one is given.
 */
export async function queueChangesOfLinkedPersons(
  services: Services,
  tx: Tx,
  orgId: string,
  { persons, repositoryId = null }: { persons: readonly string[]; repositoryId?: string | null | undefined },
): Promise<void> {
  const added = await tx.query<{ id: string }>({
    name: 'changes.ofLinked',
    text: `insert into change_task (org_id, id, repository_id, number, push_id, cause)
           select distinct on (c.id) c.org_id, c.id, c.repository_id, case when c.push_id is null then c.number end, c.push_id, 'identity'
           from change_record c where c.org_id = $1 and c.persons && $2::uuid[] and ($3::uuid is null or c.repository_id = $3)
             and (select count(distinct p) from unnest(c.persons) p where p = any($2::uuid[])) > 1
           on conflict (org_id, id) do update set due_at = excluded.due_at, attempt = 0
           returning id`,
    values: [orgId, persons, repositoryId],
  });
  if (added.length > 0) await enqueueDueChanges(services, tx, orgId);
}

/** Queues the records whose tickets could not be read, after a tracker was connected or works again. */
export async function queueChangesWithTickets(services: Services, tx: Tx, orgId: string): Promise<void> {
  const added = await tx.query<{ id: string }>({
    name: 'changes.with-tickets',
    text: `insert into change_task (org_id, id, repository_id, number, push_id, cause)
           select c.org_id, c.id, c.repository_id, c.number, null, 'ticket'
           from change_record c where c.org_id = $1 and 'tickets' = any(c.missing) and c.push_id is null and c.number is not null
             and c.merged_at > now() - make_interval(secs => $2::float8 / 1000)
             and not exists (select from change_record n where n.org_id = $1 and n.id = c.id and n.version > c.version)
           on conflict (org_id, id) do update set due_at = excluded.due_at, attempt = 0
           returning id`,
    values: [orgId, MAX_MERGE_AGE_MS],
  });
  if (added.length > 0) await enqueueDueChanges(services, tx, orgId);
}

/** Queues another reading of the pushes of a repository, and resumes due records after a crash. */
export async function queuePushImport(services: Services, tx: Tx, orgId: string, repositoryId: string): Promise<void> {
  await enqueuePushImport(services, tx, orgId, { repositoryId });
  await enqueueDueChanges(services, tx, orgId);
}

/** Resumes due records, after a crash or the restoration of an organization. */
export const resumeChanges = (services: Services, tx: Tx, orgId: string): Promise<void> =>
  enqueueDueChanges(services, tx, orgId);
