import { HostRefused } from '#providers/code-host.ts';
import type { HostEvidence, HostList, HostPush, MergedPullRequest } from '#providers/host-evidence.ts';
import type { HostRef } from '../host-facts.ts';
import { commitFrom } from './commit-shapes.ts';
import { type MergedOrigin, mergedOriginFrom } from './evidence-shapes.ts';
import { readAllItems, readPage } from './paging.ts';
import { commitsBetween, repositoryPath } from './reads.ts';
import type { GiteaApi } from './transport.ts';

// Pull requests that were updated after a commit was made, read until then.
const MAX_PAGES = 20;
/** Clocks of committers may be fast. */
const MARGIN_MS = 24 * 60 * 60 * 1000;

type Pushes = (ref: HostRef, branch: string, since: string) => Promise<HostList<HostPush>>;

/**
 * Returns the reader of the merged pull requests of a commit. The API finds a pull request only by its merge commit. For
 * other commits, the merged pull requests since then are compared: one with the commit in its branch, or one whose merge
 * was a push of as many commits as its branch has, among them this one, as a rebase does. Throws HostRefused 404 if that
 * cannot be decided.
 */
export function createOrigins(api: GiteaApi, pushesOf: Pushes): HostEvidence['pullsOf'] {
  const lists = new Map<string, Promise<readonly MergedOrigin[]>>();
  const shasOf = new Map<number, Promise<ReadonlySet<string>>>();

  const mergedSince = (ref: HostRef, since: string): Promise<readonly MergedOrigin[]> => {
    const key = `${ref.owner}/${ref.name} ${since.slice(0, 10)}`;
    // The commits of a push are asked for at once. Later ones need a new list.
    const found =
      lists.get(key) ??
      readMergedSince(api, ref, new Date(Date.parse(since.slice(0, 10)) - MARGIN_MS)).finally(() => lists.delete(key));
    lists.set(key, found);
    return found;
  };
  const branchShas = (ref: HostRef, number: number): Promise<ReadonlySet<string>> => {
    const found = shasOf.get(number) ?? readBranchShas(api, ref, number);
    shasOf.set(number, found);
    return found;
  };

  return async (ref, sha) => {
    const direct = await readByMergeCommit(api, ref, sha);
    if (direct) return [direct];
    const commit = commitFrom((await api.json(`${repositoryPath(ref)}/git/commits/${encodeURIComponent(sha)}`)).data);
    const merged = await mergedSince(ref, commit.committedAt);
    const found: MergedPullRequest[] = [];
    for (const origin of merged) {
      const shas = await branchShas(ref, origin.number);
      const isOwn =
        shas.has(sha) || (shas.size > 1 && (await isRebased(api, pushesOf, { ref, sha, origin, size: shas.size })));
      if (isOwn) found.push({ number: origin.number, baseRef: origin.baseRef });
    }
    return found;
  };
}

async function readByMergeCommit(api: GiteaApi, ref: HostRef, sha: string): Promise<MergedPullRequest | undefined> {
  try {
    const origin = mergedOriginFrom(
      (await api.json(`${repositoryPath(ref)}/commits/${encodeURIComponent(sha)}/pull`)).data,
    );
    return origin && { number: origin.number, baseRef: origin.baseRef };
  } catch (error) {
    if (error instanceof HostRefused && error.status === 404) return undefined;
    throw error;
  }
}

async function readMergedSince(api: GiteaApi, ref: HostRef, since: Date): Promise<readonly MergedOrigin[]> {
  const found: MergedOrigin[] = [];
  let page: string | null = null;
  for (let read = 0; read < MAX_PAGES; read += 1) {
    const query = { state: 'closed', sort: 'recentupdate' };
    const { items, next } = await readPage(api, `${repositoryPath(ref)}/pulls`, query, page);
    const origins = items.flatMap((json) => mergedOriginFrom(json) ?? []);
    found.push(...origins);
    page = next;
    if (page === null || origins.some(({ updatedAt }) => Date.parse(updatedAt) < since.getTime())) return found;
  }
  throw new HostRefused(404, 'More pull requests were merged since the commit than can be compared');
}

async function readBranchShas(api: GiteaApi, ref: HostRef, number: number): Promise<ReadonlySet<string>> {
  const query = { files: false, verification: false };
  const { items, isWhole } = await readAllItems(api, `${repositoryPath(ref)}/pulls/${number}/commits`, query);
  if (!isWhole) throw new HostRefused(404, 'A pull request has more commits than can be read');
  return new Set(items.map((json) => commitFrom(json).sha));
}

/**
 * Whether the merge of a pull request pushed a commit that is not in its branch. `size`: the number of commits in its
 * branch. A squash pushes one commit, and a push with other commits has more.
 */
async function isRebased(
  api: GiteaApi,
  pushesOf: Pushes,
  { ref, sha, origin, size }: { ref: HostRef; sha: string; origin: MergedOrigin; size: number },
): Promise<boolean> {
  const reached = await commitsBetween(api, ref, sha, origin.mergeSha);
  // The commit must be at most as far below the merge commit as the branch is long.
  if (reached.length >= size || reached.length === 0) return false;
  const earliest = reached.map(({ committedAt }) => committedAt).toSorted()[0] ?? '';
  const since = new Date(Date.parse(earliest) - MARGIN_MS).toISOString();
  const { items, isWhole } = await pushesOf(ref, origin.baseRef, since);
  const push = items.find(({ after }) => after === origin.mergeSha);
  if (push?.before) {
    const pushed = await commitsBetween(api, ref, push.before, origin.mergeSha);
    return pushed.length === size && pushed.some((one) => one.sha === sha);
  }
  throw new HostRefused(404, `The code host does not list the push of a merge${isWhole ? '' : ' that long ago'}`);
}
