import type { Services } from '#core/services.ts';
import { type CodeHost, HostLimited, HostRefused } from '#providers/code-host.ts';
import type { HostPush } from '#providers/host-evidence.ts';
import type { BranchPush } from '../../sources/webhooks/topics.ts';
import { maxCommitsPerPush } from './chain.ts';
import { historyOf } from './history.ts';
import { recordHead, recordPush, recoverUntil } from './pushes.ts';
import { recordedBranches } from './queries.ts';
import type { RecordedRepository } from './scope.ts';

const day = 24 * 60 * 60 * 1000;
// Hosts keep their lists of pushes for about so long.
const longest = 400 * day;
// A push may be told a while after others that came later.
const overlap = day;
// Of more pushes, what came by each is read from our own commits rather than asked for.
const fewPushes = 40;
// As many commits as are ever kept of a push: reading it again adds nothing.
const isFull = `(b.completeness = 'truncated' and cardinality(b.commits) >= ${maxCommitsPerPush})`;

/**
 * Reads the list a host keeps of pushes to the branches in scope of a repository, from the last known one on, and takes in what
 * nobody told us of. Where the host keeps none, only where the branch stands tells that a push was lost. Doing it twice is the same as once.
 */
export async function readPushes(services: Services, orgId: string, repositoryId: string): Promise<void> {
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
  const since = await database.withOrg(orgId, (tx) => knownSince(tx, place, branch));
  const listed = await listOf(host, place, branch, since);
  // From the oldest on, so that each begins where the one before it ended.
  const fresh = (await unknownOf(services, place, branch, listed)).toReversed();
  const isAsked = fresh.length <= fewPushes && fresh.every(({ before }) => before !== null);
  const history = isAsked ? undefined : await historyOf(services, place, fresh[0]?.before ?? null);
  for (const push of fresh) {
    const came = history?.(push.after) ?? (await commitsOf(host, place, push));
    const pushed: BranchPush = {
      ...push,
      branch,
      atKnown: 'host',
      source: 'activity',
      shas: came.shas,
      isWhole: came.isWhole,
    };
    await database.withOrg(orgId, (tx) => recordPush(services, tx, place, pushed));
  }
  // Where each listed push begins where the one before it ended, none is missing between them: what was taken for lost there
  // came late, or in another order than it happened.
  const [newest] = listed;
  const isUnbroken = listed.every(({ before }, at) => at + 1 === listed.length || before === listed[at + 1]?.after);
  if (newest && isUnbroken) {
    await database.withOrg(orgId, (tx) => recoverUntil(tx, place, branch, newest.at));
  }
  const head = await host.headOf(ref, branch).catch(unlessRefused);
  if (head !== undefined) await database.withOrg(orgId, (tx) => recordHead(tx, place, branch, head));
}

type Tx = Parameters<Parameters<Services['database']['withOrg']>[1]>[0];

/** From when on the list is read: the first stretch that was lost, else the last push we know. */
async function knownSince(tx: Tx, { orgId, repositoryId }: RecordedRepository, branch: string): Promise<string> {
  const [row] = await tx.query<{ at: Date | null }>({
    name: 'changes.since',
    text: `select coalesce(
             (select min(b.pushed_at) - interval '30 days' from branch_push b where b.org_id = $1 and b.repository_id = $2 and b.branch = $3
               and b.completeness in ('lost', 'truncated') and not ${isFull}
               and not exists (select from branch_push n where n.org_id = $1 and n.id = b.id and n.version > b.version)),
             (select max(b.pushed_at) from branch_push b where b.org_id = $1 and b.repository_id = $2 and b.branch = $3
               and b.source = 'activity')) as at`,
    values: [orgId, repositoryId, branch],
  });
  const from = row?.at ? row.at.getTime() - overlap : Date.now() - longest;
  return new Date(Math.max(from, Date.now() - longest)).toISOString();
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

/** Those we do not know whole; the newest first, as they came. */
async function unknownOf(
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
               select from branch_push b where b.org_id = $1 and b.repository_id = $2 and b.branch = $3 and (b.completeness = 'complete' or ${isFull})
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

/** What came by a push, as the host compares its ends. A branch that was made or deleted brought nothing we could tell. */
async function commitsOf(
  host: CodeHost,
  { ref }: RecordedRepository,
  { before, after }: HostPush,
): Promise<{ shas: string[]; isWhole: boolean }> {
  if (after === null) return { shas: [], isWhole: true };
  if (before === null) return { shas: [], isWhole: false };
  try {
    const commits = await host.compareCommits(ref, before, after);
    return { shas: commits.map(({ sha }) => sha), isWhole: true };
  } catch (error) {
    if (error instanceof HostLimited || !(error instanceof HostRefused)) throw error;
    return { shas: [], isWhole: false };
  }
}
