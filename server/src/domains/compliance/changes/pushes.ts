import { factId, newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import type { BranchPush } from '../../sources/webhooks/topics.ts';
import { resolveActors } from './actors.ts';
import {
  endingAt,
  isCovered,
  isKeptWhole,
  isLook,
  knownOf,
  latest,
  latestTold,
  leads,
  lostBefore,
  maxCommitsPerPush,
  maybeSame,
  maybeStart,
  type PushRow,
} from './chain.ts';
import { enqueuePushReading, queueChange } from './due.ts';
import { isRecordedBranch, type RecordedRepository } from './scope.ts';

type RepositoryOfPush = Pick<RecordedRepository, 'orgId' | 'repositoryId' | 'provider' | 'defaultBranch'>;

/**
 * Records a push to a branch in scope once, even if it is reported repeatedly, and queues its change. If no known push
 * ends where it starts, the gap is recorded as lost and the activity list of the host is read.
 */
export async function recordPush(services: Services, tx: Tx, where: RepositoryOfPush, push: BranchPush): Promise<void> {
  const { orgId, repositoryId, provider, defaultBranch } = where;
  if (push.before === push.after || !(await isRecordedBranch(tx, orgId, push.branch, defaultBranch))) return;
  await lockBranch(tx, repositoryId, push.branch);
  const known = await knownOf(tx, orgId, repositoryId, push);
  const same = await maybeSame(tx, orgId, { repositoryId, push, known });
  // Another report adds nothing to a complete push.
  if (same && (isKeptWhole(same) || (same.completeness === 'truncated' && !push.isWhole))) return;
  const lost = same ? undefined : await lostBefore(tx, orgId, repositoryId, push);
  const [actor] = push.pusher ? await resolveActors(services, tx, orgId, { provider, named: [push.pusher] }) : [];
  const pusher = actor && actor.identity !== 'unresolved' ? actor.person : null;
  if (lost) {
    const { before, after } = lost;
    await savePush(tx, {
      repositoryOfPush: where,
      push: { ...push, before, after, pusher: null, isForced: null, shas: [] },
      id: lossId(where, push.branch, lost),
      version: 1,
      completeness: 'lost',
      pusher: null,
    });
    await enqueuePushReading(services, tx, orgId, { repositoryId });
  }
  const id = same?.id ?? factId('push', repositoryId, push.branch, push.before ?? '', push.after ?? '', known.length);
  await savePush(tx, {
    repositoryOfPush: where,
    push,
    id,
    version: (same?.version ?? 0) + 1,
    completeness: push.isWhole ? 'complete' : 'truncated',
    pusher,
  });
  await recoverLosses(tx, where, push);
  if (push.shas.length > 0)
    await queueChange(services, tx, orgId, { repositoryId, change: { pushId: id }, cause: 'push' });
}

/** Serializes changes to the stored pushes of a branch. */
const lockBranch = (tx: Tx, repositoryId: string, branch: string) =>
  tx.query({
    name: 'changes.lockBranch',
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 7318203))',
    values: [`${repositoryId} ${branch}`],
  });

/**
 * Compares the head of a branch with its known pushes: a head that no push reached means a lost push. Returns whether a
 * loss was recorded. The first check of a branch without pushes stores its head as start.
 */
export async function recordHead(tx: Tx, where: RepositoryOfPush, branch: string, head: string): Promise<boolean> {
  await lockBranch(tx, where.repositoryId, branch);
  const of = [where.orgId, where.repositoryId, branch];
  const [last] = await tx.query<PushRow>({ ...latest, values: [...of, '9999-01-01'] });
  const previous = last ? last.after_sha : await storeStart(tx, where, branch, head);
  if (previous === head && !(last && isLook(last))) return false;
  const reached = await tx.query<PushRow>({ ...endingAt, values: [...of, head] });
  if (reached.length > 0) return narrowLoss(tx, { where, branch, head, reached });
  await recordLoss(tx, where, branch, { before: previous, after: head });
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
  if (open.length === 0 || !open.every(isLook)) return false;
  const [latestReported] = await tx.query<PushRow>({
    ...latestTold,
    values: [where.orgId, where.repositoryId, branch, '9999-01-01'],
  });
  const previous = latestReported?.after_sha ?? null;
  const steps = (await sinceLost(tx, where, branch)).filter((row) => !isLook(row) && row.completeness !== 'recovered');
  if (reached.some(({ before_sha: from }) => from === previous)) return false;
  if (!open.every(({ before_sha: from }) => leads(steps, from, previous))) return false;
  await recordLoss(tx, where, branch, { before: previous, after: head });
  for (const row of open) await writeRecovered(tx, { where, branch, source: 'reconcile', row });
  return true;
}

async function recordLoss(tx: Tx, where: RepositoryOfPush, branch: string, gap: Gap): Promise<void> {
  const at = new Date().toISOString();
  const push: BranchPush = {
    ...gap,
    branch,
    at,
    atKnown: 'received',
    pusher: null,
    isForced: null,
    shas: [],
    isWhole: false,
    source: 'reconcile',
  };
  await savePush(tx, {
    repositoryOfPush: where,
    push,
    id: lossId(where, branch, gap),
    version: 1,
    completeness: 'lost',
    pusher: null,
  });
}

async function storeStart(
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
  return (await maybeStart(tx, orgId, repositoryId, branch)) ?? head;
}

interface Gap {
  before: string | null;
  after: string | null;
}

const lossId = ({ repositoryId }: RepositoryOfPush, branch: string, { before, after }: Gap) =>
  factId('push', repositoryId, branch, before ?? '', after ?? '', 0);

/** Marks losses as recovered once known pushes cover them. */
async function recoverLosses(tx: Tx, where: RepositoryOfPush, { branch, source }: BranchPush): Promise<void> {
  const rows = await sinceLost(tx, where, branch);
  if (rows.length === 0) return;
  const start = await maybeStart(tx, where.orgId, where.repositoryId, branch);
  for (const row of rows.filter(({ completeness }) => completeness === 'lost')) {
    if (!isCovered(row, rows, start)) continue;
    await writeRecovered(tx, { where, branch, source, row });
  }
}

/**
 * The pushes since the first open loss; empty without one. The last push before a loss may be much older than its
 * detection.
 */
const sinceLost = (tx: Tx, { orgId, repositoryId }: RepositoryOfPush, branch: string): Promise<PushRow[]> =>
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

/** Marks losses until a time as recovered, because the activity list of the host is complete. */
export async function recoverUntil(tx: Tx, where: RepositoryOfPush, branch: string, until: string): Promise<void> {
  await lockBranch(tx, where.repositoryId, branch);
  const rows = await tx.query<PushRow>({
    name: 'changes.lostUntil',
    text: `select id, version, before_sha, after_sha, pushed_at, time_source, forced, completeness, source from branch_push b
           where org_id = $1 and repository_id = $2 and branch = $3 and pushed_at <= $4 and completeness = 'lost'
             and not exists (select from branch_push n where n.org_id = $1 and n.id = b.id and n.version > b.version)`,
    values: [where.orgId, where.repositoryId, branch, until],
  });
  for (const row of rows) await writeRecovered(tx, { where, branch, source: 'activity', row });
}

const writeRecovered = (
  tx: Tx,
  {
    where,
    branch,
    source,
    row,
  }: { where: RepositoryOfPush; branch: string; source: BranchPush['source']; row: PushRow },
): Promise<void> => {
  const push: BranchPush = {
    branch,
    before: row.before_sha,
    after: row.after_sha,
    at: row.pushed_at.toISOString(),
    atKnown: 'received',
    pusher: null,
    isForced: null,
    shas: [],
    isWhole: true,
    source,
  };
  return savePush(tx, {
    repositoryOfPush: where,
    push,
    id: row.id,
    version: row.version + 1,
    completeness: 'recovered',
    pusher: null,
  });
};

async function savePush(
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
    completeness: PushRow['completeness'];
    pusher: string | null;
  },
): Promise<void> {
  const forced = push.isForced === null ? 'unknown' : push.isForced ? 'yes' : 'no';
  const commits = push.shas.slice(-maxCommitsPerPush);
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
