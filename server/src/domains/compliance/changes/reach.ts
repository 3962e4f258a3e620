import { newId } from '#core/ids.ts';
import { appendEntries, entryOf } from '#core/ledger.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { HostLimited } from '#providers/code-host.ts';
import type { RecordedRepository } from './scope.ts';

/** A push as it is known now. */
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
  commits: string[];
}

type CameBy = { by: 'merged_pull_request'; number: number } | { by: 'none' | 'unknown' };

const atOnce = 6;
// Beyond this many of one push the host is not asked.
const mostAsked = 250;

/**
 * By what each commit of a push came: by a pull request that was merged into its branch, or by none. Our own rows know the
 * commit a merge made; of every other commit the host is asked. Writes down what is new; answers the commits that came by none,
 * and whether any is not known.
 */
export async function reach(
  services: Services,
  place: RecordedRepository,
  push: PushRow,
): Promise<{ direct: string[]; isUnsure: boolean }> {
  const { orgId, repositoryId } = place;
  const { before, own } = await services.database.withOrg(orgId, async (tx) => ({
    before: await reachedBefore(tx, orgId, push.id),
    own: await ownOrigins(tx, orgId, repositoryId, push),
  }));
  const open = push.commits.filter((sha) => before.get(sha)?.reached_by !== 'merged_pull_request');
  const found = new Map<string, CameBy>();
  const asked = open.filter((sha) => {
    const number = own.get(sha);
    if (number !== undefined) found.set(sha, { by: 'merged_pull_request', number });
    return number === undefined;
  });
  const few = asked.slice(-mostAsked);
  for (const sha of asked.slice(0, -mostAsked)) found.set(sha, { by: 'unknown' });
  for (let from = 0; from < few.length; from += atOnce) {
    const some = few.slice(from, from + atOnce);
    const answers = await Promise.all(some.map((sha) => originOf(place, push.branch, sha)));
    for (const [index, sha] of some.entries()) found.set(sha, answers[index] ?? { by: 'unknown' });
  }
  const fresh = [...found].filter(([sha, { by }]) => {
    const known = before.get(sha)?.reached_by;
    // What was known is not lost because the host no longer says.
    return by !== known && !(by === 'unknown' && known !== undefined);
  });
  await services.database.withOrg(orgId, (tx) => write(tx, { recordedRepository: place, push, fresh, before }));
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
  reached_by: CameBy['by'];
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
 * Commits that our own rows know to be made by the merge of a pull request. All of a push came by it where the push is no more
 * than a merge: the commit it ends at has the one it began at as its first parent, and the pull request's head as its second.
 */
async function ownOrigins(
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

async function originOf({ host, ref }: RecordedRepository, branch: string, sha: string): Promise<CameBy> {
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

async function write(
  tx: Tx,
  {
    recordedRepository: { orgId, repositoryId, provider },
    push,
    fresh,
    before,
  }: {
    recordedRepository: RecordedRepository;
    push: PushRow;
    fresh: readonly (readonly [string, CameBy])[];
    before: ReadonlyMap<string, Reached>;
  },
): Promise<void> {
  if (fresh.length === 0) return;
  const rows = fresh.map(([sha, came]) => ({
    sha,
    version: (before.get(sha)?.version ?? 0) + 1,
    reached_by: came.by,
    number: came.by === 'merged_pull_request' ? came.number : null,
    entry: newId(),
  }));
  const receivedAt = new Date().toISOString();
  const asOf = push.pushed_at.toISOString();
  await appendEntries(
    tx,
    orgId,
    rows.map(({ entry, sha, version, reached_by: cameBy, number }) => {
      const subject = { repository: repositoryId, branch: push.branch, push: push.id, sha, version, cameBy, number };
      return entryOf(
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
