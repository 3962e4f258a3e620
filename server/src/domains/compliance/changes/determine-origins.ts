import { newId } from '#core/ids.ts';
import { appendEntries, createLedgerEntry } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { HostLimited } from '#providers/code-host.ts';
import type { RecordedRepository } from './scope.ts';

/** The latest version of a push. */
export interface PushRow {
  [column: string]: unknown;
  id: string;
  branch: string;
  before_sha: string | null;
  after_sha: string | null;
  pushed_at: Date;
  time_source: 'host' | 'received';
  pusher: string | null;
  forced: 'yes' | 'no' | 'unknown';
  completeness: string;
  activity: string | null;
  commits: string[];
}

type CommitOrigin = { by: 'merged_pull_request'; number: number } | { by: 'none' | 'unknown' };

const CONCURRENT_REQUESTS = 6;
// Maximum number of commits per push to request from the host.
const MAX_REQUESTED_COMMITS = 250;

/**
 * Determines how each commit of a push reached its branch: by a merged pull request or by none. Stored pull requests
 * identify the merge commit; the host is queried for every other commit. Stores new results. Returns the commits
 * without a pull request, and whether any is unknown.
 */
export async function determineOrigins(
  services: Services,
  place: RecordedRepository,
  push: PushRow,
): Promise<{ direct: string[]; isUnsure: boolean }> {
  const { orgId, repositoryId } = place;
  const { before, stored } = await services.database.withOrg(orgId, async (tx) => ({
    before: await reachedBefore(tx, orgId, push.id),
    stored: await storedOrigins(tx, orgId, repositoryId, push),
  }));
  const open = push.commits.filter((sha) => before.get(sha)?.reached_by !== 'merged_pull_request');
  const found = new Map<string, CommitOrigin>();
  const toRequest = open.filter((sha) => {
    const number = stored.get(sha);
    if (number !== undefined) found.set(sha, { by: 'merged_pull_request', number });
    return number === undefined;
  });
  const few = toRequest.slice(-MAX_REQUESTED_COMMITS);
  for (const sha of toRequest.slice(0, -MAX_REQUESTED_COMMITS)) found.set(sha, { by: 'unknown' });
  for (let from = 0; from < few.length; from += CONCURRENT_REQUESTS) {
    const some = few.slice(from, from + CONCURRENT_REQUESTS);
    const answers = await Promise.all(some.map((sha) => requestOrigin(place, push.branch, sha)));
    for (const [index, sha] of some.entries()) found.set(sha, answers[index] ?? { by: 'unknown' });
  }
  const fresh = [...found].filter(([sha, { by }]) => {
    const known = before.get(sha)?.reached_by;
    // A host that no longer answers does not remove a known origin.
    return by !== known && !(by === 'unknown' && known !== undefined);
  });
  await services.database.withOrg(orgId, (tx) => saveOrigins(tx, { recordedRepository: place, push, fresh, before }));
  const now = push.commits.map(
    (sha) => [sha, fresh.find(([one]) => one === sha)?.[1].by ?? before.get(sha)?.reached_by] as const,
  );
  return {
    direct: now.filter(([, by]) => by === 'none').map(([sha]) => sha),
    isUnsure: now.some(([, by]) => by === 'unknown'),
  };
}

interface Reached {
  [column: string]: unknown;
  sha: string;
  version: number;
  reached_by: CommitOrigin['by'];
}

async function reachedBefore(tx: Tx, orgId: string, pushId: string): Promise<ReadonlyMap<string, Reached>> {
  const rows = await tx.query<Reached>({
    name: 'changes.reachedBefore',
    text: `select distinct on (sha) sha, version, reached_by from reached_commit
           where org_id = $1 and push_id = $2 order by sha, version desc`,
    values: [orgId, pushId],
  });
  return new Map(rows.map((row) => [row.sha, row]));
}

/**
 * Commits that stored pull requests identify as merged. If a push is exactly one merge, all its commits belong to the
 * pull request: the last commit has the start of the push as first parent and the head of the pull request as second.
 */
async function storedOrigins(
  tx: Tx,
  orgId: string,
  repositoryId: string,
  { branch, before_sha: before, commits }: PushRow,
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{ number: number; merge_sha: string; head_sha: string; parents: string[] | null }>({
    name: 'changes.origins',
    text: `select p.number, p.merge_sha, p.head_sha, c.parents from pull_request p
           left join commit c on c.org_id = p.org_id and c.repository_id = p.repository_id and c.sha = p.merge_sha
           where p.org_id = $1 and p.repository_id = $2 and p.merge_sha = any($3::text[]) and p.base_ref = $4 and p.status = 'accepted'`,
    values: [orgId, repositoryId, commits, branch],
  });
  const origins = new Map(rows.map(({ merge_sha: sha, number }) => [sha, number]));
  const last = rows.find(({ merge_sha: sha }) => sha === commits.at(-1));
  const isMerge = last?.parents?.length === 2 && last.parents[0] === before && last.parents[1] === last.head_sha;
  if (isMerge) for (const sha of commits) origins.set(sha, origins.get(sha) ?? last.number);
  return origins;
}

async function requestOrigin({ host, ref }: RecordedRepository, branch: string, sha: string): Promise<CommitOrigin> {
  if (!host?.evidence) return { by: 'unknown' };
  try {
    const pulls = await host.evidence.pullsOf(ref, sha);
    const pull = pulls.find(({ baseRef }) => baseRef === branch);
    return pull ? { by: 'merged_pull_request', number: pull.number } : { by: 'none' };
  } catch (error) {
    if (error instanceof HostLimited) throw error;
    return { by: 'unknown' };
  }
}

async function saveOrigins(
  tx: Tx,
  {
    recordedRepository: { orgId, repositoryId, provider },
    push,
    fresh,
    before,
  }: {
    recordedRepository: RecordedRepository;
    push: PushRow;
    fresh: readonly (readonly [string, CommitOrigin])[];
    before: ReadonlyMap<string, Reached>;
  },
): Promise<void> {
  if (fresh.length === 0) return;
  const rows = fresh.map(([sha, origin]) => ({
    sha,
    version: (before.get(sha)?.version ?? 0) + 1,
    reached_by: origin.by,
    number: origin.by === 'merged_pull_request' ? origin.number : null,
    entry: newId(),
  }));
  const receivedAt = new Date().toISOString();
  const asOf = push.pushed_at.toISOString();
  await appendEntries(
    tx,
    orgId,
    rows.map(({ entry, sha, version, reached_by: cameBy, number }) => {
      const subject = { repository: repositoryId, branch: push.branch, push: push.id, sha, version, cameBy, number };
      return createLedgerEntry(
        {
          id: entry,
          org: orgId,
          kind: 'commit.reached',
          asOf,
          receivedAt,
          person: null,
          source: provider,
          subject,
          personal: {},
        },
        undefined,
      );
    }),
  );
  await tx.query({
    name: 'changes.reached',
    text: `insert into reached_commit (org_id, repository_id, branch, push_id, sha, version, reached_by, number, entry_id)
           select $1, $2, $3, $4, r.sha, r.version, r.reached_by, r.number, r.entry
           from jsonb_to_recordset($5::jsonb) as r(sha text, version int, reached_by text, number int, entry uuid)`,
    values: [orgId, repositoryId, push.branch, push.id, JSON.stringify(rows)],
  });
}
