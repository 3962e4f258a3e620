import { factId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { BranchPush } from '../../sources/webhooks/topics.ts';
import { resolveActors } from './actors.ts';
import {
  gapBefore,
  hasPath,
  isFromBranchCheck,
  isGapCovered,
  latestPushSql,
  latestReportedPushSql,
  maybeBranchStart,
  maybeSamePush,
  type PushRow,
  pushesBetween,
  pushesEndingAtSql,
  stateForReports,
} from './chain.ts';
import { enqueuePushImport, queueChange } from './change-queue.ts';
import { queueMergesAt } from './pull-request-heads.ts';
import { nextPushState } from './push-states.ts';
import {
  type Gap,
  lockBranch,
  lossId,
  pushesSinceLoss,
  type RepositoryOfPush,
  savePush,
  storeStart,
} from './push-store.ts';
import { isRecordedBranch } from './scope.ts';

/**
 * Records a push to a branch in scope once, even if it is reported repeatedly, and queues its change. If no known push
 * ends where it starts, the gap is recorded as lost and the activity list of the host is read.
 */
export async function recordPush(services: Services, tx: Tx, where: RepositoryOfPush, push: BranchPush): Promise<void> {
  const { orgId, repositoryId, provider, defaultBranch } = where;
  if (push.before === push.after || !(await isRecordedBranch(tx, orgId, push.branch, defaultBranch))) return;
  await lockBranch(tx, repositoryId, push.branch);
  const known = await pushesBetween(tx, orgId, repositoryId, push);
  const same = await maybeSamePush(tx, orgId, { repositoryId, push, known });
  const state = same ? stateForReports(same) : 'unknown';
  const completeness = nextPushState(state, push.isWhole ? 'reportedComplete' : 'reportedTruncated');
  if (!completeness) return;
  const lost = same ? undefined : await gapBefore(tx, orgId, repositoryId, push);
  const [actor] = push.pusher ? await resolveActors(services, tx, orgId, { provider, named: [push.pusher] }) : [];
  const pusher = actor && actor.identity !== 'unresolved' ? actor.person : null;
  if (lost) {
    await recordLoss(tx, where, { ...push, ...lost, pusher: null, isForced: null, shas: [], activity: null });
    await enqueuePushImport(services, tx, orgId, { repositoryId });
  }
  const id = same?.id ?? factId('push', repositoryId, push.branch, push.before ?? '', push.after ?? '', known.length);
  await savePush(tx, {
    repositoryOfPush: where,
    push: { ...push, activity: push.activity ?? same?.activity ?? null },
    id,
    version: (same?.version ?? 0) + 1,
    completeness,
    pusher,
  });
  await recoverLosses(tx, where, push);
  if (push.after !== null)
    await queueMergesAt(services, tx, orgId, { repositoryId, commits: [push.after, ...push.shas] });
  if (push.shas.length > 0)
    await queueChange(services, tx, orgId, { repositoryId, change: { pushId: id }, cause: 'push' });
}

/**
 * Compares the head of a branch with its known pushes: a head that no push reached means a lost push. Returns whether a
 * loss was recorded. The first check of a branch without pushes stores its head as start.
 */
export async function checkBranchHead(tx: Tx, where: RepositoryOfPush, branch: string, head: string): Promise<boolean> {
  await lockBranch(tx, where.repositoryId, branch);
  const of = [where.orgId, where.repositoryId, branch];
  const [last] = await tx.query<PushRow>({ ...latestPushSql, values: [...of, '9999-01-01'] });
  const previous = last ? last.after_sha : await storeStart(tx, where, branch, head);
  if (previous === head && !(last && isFromBranchCheck(last))) return false;
  const reached = await tx.query<PushRow>({ ...pushesEndingAtSql, values: [...of, head] });
  if (reached.length > 0) return narrowLoss(tx, { where, branch, head, reached });
  await recordLoss(tx, where, inferredPush(branch, { before: previous, after: head }));
  return true;
}

/**
 * Narrows a loss that a branch check inferred, once pushes were reported that start at its beginning: only the rest
 * after them remains lost.
 */
async function narrowLoss(
  tx: Tx,
  {
    where,
    branch,
    head,
    reached,
  }: { where: RepositoryOfPush; branch: string; head: string; reached: readonly PushRow[] },
): Promise<boolean> {
  const open = reached.filter(({ completeness }) => completeness !== 'recovered');
  if (open.length === 0 || !open.every(isFromBranchCheck)) return false;
  const [latestReported] = await tx.query<PushRow>({
    ...latestReportedPushSql,
    values: [where.orgId, where.repositoryId, branch, '9999-01-01'],
  });
  const previous = latestReported?.after_sha ?? null;
  const steps = (await pushesSinceLoss(tx, where, branch)).filter(
    (row) => !isFromBranchCheck(row) && row.completeness !== 'recovered',
  );
  if (reached.some(({ before_sha: from }) => from === previous)) return false;
  if (!open.every(({ before_sha: from }) => hasPath(steps, from, previous))) return false;
  await recordLoss(tx, where, inferredPush(branch, { before: previous, after: head }));
  for (const row of open) await markRecovered(tx, { where, branch, source: 'reconcile', row });
  return true;
}

/** Marks losses as recovered once known pushes cover them. */
async function recoverLosses(tx: Tx, where: RepositoryOfPush, { branch, source }: BranchPush): Promise<void> {
  const rows = await pushesSinceLoss(tx, where, branch);
  if (rows.length === 0) return;
  const start = await maybeBranchStart(tx, where.orgId, where.repositoryId, branch);
  for (const row of rows.filter(({ completeness }) => completeness === 'lost')) {
    if (!isGapCovered(row, rows, start)) continue;
    await markRecovered(tx, { where, branch, source, row });
  }
}

/** Marks losses until a time as recovered, because the activity list of the host is complete. */
export async function markLossesRecovered(
  tx: Tx,
  where: RepositoryOfPush,
  branch: string,
  until: string,
): Promise<void> {
  await lockBranch(tx, where.repositoryId, branch);
  const rows = await tx.query<PushRow>({
    name: 'changes.lostUntil',
    text: `select id, version, before_sha, after_sha, pushed_at, time_source, forced, completeness, source, activity from branch_push b
           where org_id = $1 and repository_id = $2 and branch = $3 and pushed_at <= $4 and completeness = 'lost'
             and not exists (select from branch_push n where n.org_id = $1 and n.id = b.id and n.version > b.version)`,
    values: [where.orgId, where.repositoryId, branch, until],
  });
  for (const row of rows) await markRecovered(tx, { where, branch, source: 'activity', row });
}

const recordLoss = (tx: Tx, where: RepositoryOfPush, push: BranchPush): Promise<void> =>
  savePush(tx, {
    repositoryOfPush: where,
    push,
    id: lossId(where, push.branch, push),
    version: 1,
    completeness: 'lost',
    pusher: null,
  });

/** A push that a branch check inferred: the branch moved between two commits without a report. */
const inferredPush = (branch: string, gap: Gap): BranchPush => ({
  ...gap,
  branch,
  at: new Date().toISOString(),
  atKnown: 'received',
  pusher: null,
  isForced: null,
  shas: [],
  isWhole: false,
  source: 'reconcile',
  activity: null,
});

/** Marks a loss as recovered, because its gap is covered. */
async function markRecovered(
  tx: Tx,
  {
    where,
    branch,
    source,
    row,
  }: { where: RepositoryOfPush; branch: string; source: BranchPush['source']; row: PushRow },
): Promise<void> {
  const completeness = nextPushState(row.completeness, 'covered');
  if (!completeness) return;
  const gap = { before: row.before_sha, after: row.after_sha };
  await savePush(tx, {
    repositoryOfPush: where,
    push: { ...inferredPush(branch, gap), at: row.pushed_at.toISOString(), isWhole: true, source },
    id: row.id,
    version: row.version + 1,
    completeness,
    pusher: null,
  });
}
