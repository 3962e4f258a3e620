import type { Services } from '#core/services.ts';
import { type CodeHost, HostLimited, HostRefused } from '#providers/code-host.ts';
import type { HostPush } from '#providers/host-evidence.ts';
import type { HostRef } from '../../../providers/host-facts.ts';
import type { BranchPush } from '../../sources/webhooks/topics.ts';
import { MAX_COMMITS_PER_PUSH } from './chain.ts';
import { queueChange } from './change-queue.ts';
import { reachableCommitsReader } from './history.ts';
import { queueMergesAt } from './pull-request-heads.ts';
import { saveActivities } from './push-store.ts';
import { checkBranchHead, markLossesRecovered, recordPush } from './pushes.ts';
import { recordedBranches } from './queries.ts';
import type { RecordedRepository } from './scope.ts';

const day = 24 * 60 * 60 * 1000;
// Hosts retain their activity lists for about this time.
const LIST_RETENTION_MS = 400 * day;
// Pushes may appear in the list after later ones.
const OVERLAP_MS = day;
// Above this number of pushes, stored commits replace requests to the host.
const MAX_REQUESTED_PUSHES = 40;
// A push with the maximum number of stored commits: another reading adds nothing.
const isFullSql = `(b.completeness = 'truncated' and cardinality(b.commits) >= ${MAX_COMMITS_PER_PUSH})`;

/**
 * Reads the activity list of a host for the branches in scope of a repository, since the last known push, and records
 * missing pushes. If the host has no list, only the branch head reveals a lost push. Idempotent.
 */
export async function readActivityList(services: Services, orgId: string, repositoryId: string): Promise<void> {
  const found = await recordedBranches(services, orgId, repositoryId);
  const host = found?.place.host;
  if (!host) return;
  for (const branch of found.branches) await readBranch(services, found.place, host, branch);
}

async function readBranch(
  services: Services,
  place: RecordedRepository,
  host: CodeHost,
  branch: string,
): Promise<void> {
  const { orgId, ref } = place;
  const { database } = services;
  const since = await database.withOrg(orgId, (tx) => startOfReading(tx, place, branch));
  const listed = await listOf(host, place, branch, since);
  // Oldest first, so that each push starts where the preceding one ended.
  const fresh = (await incompleteOf(services, place, branch, listed)).toReversed();
  const isRequested = fresh.length <= MAX_REQUESTED_PUSHES && fresh.every(({ before }) => before !== null);
  const history = isRequested ? undefined : await reachableCommitsReader(services, place, fresh[0]?.before ?? null);
  for (const push of fresh) {
    const stored = history?.(push.after);
    // Hosts that list commits without parents leave the stored history incomplete.
    const commits = stored?.isWhole ? stored : await commitsOf(host, place, push, stored !== undefined);
    const pushed: BranchPush = {
      ...push,
      branch,
      atKnown: 'host',
      source: 'activity',
      activity: push.activity,
      shas: commits.shas,
      isWhole: commits.isWhole,
    };
    await database.withOrg(orgId, (tx) => recordPush(services, tx, place, pushed));
  }
  await database.withOrg(orgId, (tx) => nameActivities(services, tx, place, { branch, listed }));
  // If each listed push starts where the preceding one ended, none is missing: the recorded losses were late or
  // reordered.
  const [newest] = listed;
  const isUnbroken = listed.every(({ before }, at) => at + 1 === listed.length || before === listed[at + 1]?.after);
  if (newest && isUnbroken) {
    await database.withOrg(orgId, (tx) => markLossesRecovered(tx, place, branch, newest.at));
  }
  const head = await host.headOf(ref, branch).catch(unlessRefused);
  if (head !== undefined) await database.withOrg(orgId, (tx) => checkBranchHead(tx, place, branch, head));
}

/** Stores what the list names pushes that webhooks reported, and queues the changes that depend on it. */
async function nameActivities(
  services: Services,
  tx: Tx,
  place: RecordedRepository,
  { branch, listed }: { branch: string; listed: readonly HostPush[] },
): Promise<void> {
  const { orgId, repositoryId } = place;
  for (const { id, commits } of await saveActivities(tx, place, branch, listed)) {
    await queueMergesAt(services, tx, orgId, { repositoryId, commits });
    await queueChange(services, tx, orgId, { repositoryId, change: { pushId: id }, cause: 'push' });
  }
}

type Tx = Parameters<Parameters<Services['database']['withOrg']>[1]>[0];

/** Returns the start of the reading: before the first loss or truncated push, otherwise the last listed push. */
async function startOfReading(tx: Tx, { orgId, repositoryId }: RecordedRepository, branch: string): Promise<string> {
  const [row] = await tx.query<{ at: Date | null }>({
    name: 'changes.since',
    text: `select coalesce(
             (select min(b.pushed_at) - interval '30 days' from branch_push b where b.org_id = $1 and b.repository_id = $2 and b.branch = $3
               and b.completeness in ('lost', 'truncated') and not ${isFullSql}
               and not exists (select from branch_push n where n.org_id = $1 and n.id = b.id and n.version > b.version)),
             (select max(b.pushed_at) from branch_push b where b.org_id = $1 and b.repository_id = $2 and b.branch = $3
               and (b.source = 'activity' or b.activity is not null))) as at`,
    values: [orgId, repositoryId, branch],
  });
  const from = row?.at ? row.at.getTime() - OVERLAP_MS : Date.now() - LIST_RETENTION_MS;
  return new Date(Math.max(from, Date.now() - LIST_RETENTION_MS)).toISOString();
}

async function listOf(
  host: CodeHost,
  { ref }: RecordedRepository,
  branch: string,
  since: string,
): Promise<readonly HostPush[]> {
  const list = await host.evidence?.listPushes?.(ref, branch, since).catch(unlessRefused);
  return list?.items ?? [];
}

const unlessRefused = (error: unknown): undefined => {
  if (error instanceof HostRefused) return undefined;
  throw error;
};

/** The pushes without all their commits, newest first as listed. */
async function incompleteOf(
  { database }: Services,
  { orgId, repositoryId }: RecordedRepository,
  branch: string,
  listed: readonly HostPush[],
): Promise<HostPush[]> {
  if (listed.length === 0) return [];
  const rows = await database.withOrg(orgId, (tx) =>
    tx.query<{ ord: number }>({
      name: 'changes.unknownPushes',
      text: `select l.ord::int from unnest($4::text[], $5::text[], $6::timestamptz[]) with ordinality as l(before, after, at, ord)
             where not exists (
               select from branch_push b where b.org_id = $1 and b.repository_id = $2 and b.branch = $3 and (b.completeness = 'complete' or ${isFullSql})
                 and b.before_sha is not distinct from l.before and b.after_sha is not distinct from l.after
                 and b.pushed_at between l.at - interval '10 minutes' and l.at + interval '10 minutes')
             order by l.ord`,
      values: [
        orgId,
        repositoryId,
        branch,
        listed.map(({ before }) => before),
        listed.map(({ after }) => after),
        listed.map(({ at }) => at),
      ],
    }),
  );
  return rows.flatMap(({ ord }) => listed[ord - 1] ?? []);
}

/** The commits of a push, by comparing its ends. Those of a created branch are listed if its head is stored. */
async function commitsOf(
  host: CodeHost,
  { ref }: RecordedRepository,
  { before, after }: HostPush,
  isStored: boolean,
): Promise<{ shas: string[]; isWhole: boolean }> {
  if (after === null) return { shas: [], isWhole: true };
  if (before === null && !isStored) return { shas: [], isWhole: false };
  try {
    if (before === null) return await historyOf(host, ref, after);
    const commits = await host.compareCommits(ref, before, after);
    return { shas: commits.map(({ sha }) => sha), isWhole: true };
  } catch (error) {
    if (error instanceof HostLimited || !(error instanceof HostRefused)) throw error;
    return { shas: [], isWhole: false };
  }
}

/** The newest commits that are reachable from a commit, oldest first. */
async function historyOf(host: CodeHost, ref: HostRef, after: string): Promise<{ shas: string[]; isWhole: boolean }> {
  const shas: string[] = [];
  let page: string | null = null;
  do {
    const { items, next }: Awaited<ReturnType<CodeHost['listCommits']>> = await host.listCommits(ref, after, page);
    shas.push(...items.map(({ sha }) => sha));
    page = next;
  } while (page !== null && shas.length < MAX_COMMITS_PER_PUSH);
  return { shas: shas.reverse(), isWhole: page === null };
}
