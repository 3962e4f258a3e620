import { HostRefused } from '#providers/code-host.ts';
import type { HostEvidence, HostList, HostPush, MergedPullRequest } from '#providers/host-evidence.ts';
import type { HostRef } from '../host-facts.ts';
import { closedByOf, readActivities } from './activities.ts';
import { commitFrom } from './commit-shapes.ts';
import { commitsBetween } from './commits-between.ts';
import { type MergedOrigin, mergedOriginFrom } from './evidence-shapes.ts';
import { readAllItems, readEveryItem } from './paging.ts';
import { commitPath, pullRequestPath, repositoryPath } from './paths.ts';
import type { DataCenterApi } from './transport.ts';

// Merged pull requests that are compared; the list has no filter by time.
const MAX_PAGES = 30;
/** Clocks of committers may be fast. */
const MARGIN_MS = 24 * 60 * 60 * 1000;

type Pushes = (ref: HostRef, branch: string, since: string) => Promise<HostList<HostPush>>;

/**
 * Returns the reader of the merged pull requests of a commit. The API finds those with the commit in their branch. A
 * squash or rebase makes other commits: the number in their messages leads to a pull request, whose merge commit proves
 * it; else the pull requests that were merged since the commit are compared, by their merge commits and the updates of
 * the target that merged them. Throws HostRefused 404 if that cannot be decided.
 */
export function createOrigins(api: DataCenterApi, pushesOf: Pushes): HostEvidence['pullsOf'] {
  // The host is opened again for each job, so that no list is older than the pushes of the job.
  const lists = new Map<string, Promise<readonly MergedOrigin[]>>();
  const mergedIn = (ref: HostRef): Promise<readonly MergedOrigin[]> => {
    const key = `${ref.owner}/${ref.name}`;
    const found = lists.get(key) ?? readMerged(api, ref);
    lists.set(key, found);
    return found;
  };

  return async (ref, sha) => {
    const contained = (await readEveryItem(api, `${commitPath(ref, sha)}/pull-requests`)).flatMap(
      (json) => mergedOriginFrom(json) ?? [],
    );
    if (contained.length > 0) return contained.map(pullOf);
    const { message, committedAt } = commitFrom((await api.json(commitPath(ref, sha))).data);
    const named = await readNamed(api, ref, message);
    if (named?.mergeSha === sha) return [pullOf(named)];
    const since = new Date(Date.parse(committedAt) - MARGIN_MS).toISOString();
    for (const merged of await mergedIn(ref)) {
      if (merged.closedAt < since) continue;
      const origin = await withMergeCommit(api, ref, merged);
      if (origin.mergeSha === sha || (await isRebased(api, pushesOf, { ref, sha, origin }))) return [pullOf(origin)];
    }
    return [];
  };
}

const pullOf = ({ number, baseRef }: MergedPullRequest): MergedPullRequest => ({ number, baseRef });

// The default messages of merges: `Pull request #12: Title`, `Merge pull request #12 in PRJ/app from topic to main`.
const numbered = /^(?:Merge )?pull request #(\d{1,9})\b|\(#(\d{1,9})\)$/im;

/** The merged pull request that a message names; undefined if there is none. */
async function readNamed(api: DataCenterApi, ref: HostRef, message: string): Promise<MergedOrigin | undefined> {
  const [, first, second] = numbered.exec(message) ?? [];
  const number = Number(first ?? second ?? 0);
  if (number === 0) return undefined;
  try {
    const origin = mergedOriginFrom((await api.json(pullRequestPath(ref, number))).data);
    return origin && (await withMergeCommit(api, ref, origin));
  } catch (error) {
    if (error instanceof HostRefused && error.status === 404) return undefined;
    throw error;
  }
}

async function withMergeCommit(api: DataCenterApi, ref: HostRef, origin: MergedOrigin): Promise<MergedOrigin> {
  if (origin.mergeSha !== null) return origin;
  return { ...origin, mergeSha: closedByOf(await readActivities(api, ref, origin.number)).mergeSha };
}

async function readMerged(api: DataCenterApi, ref: HostRef): Promise<readonly MergedOrigin[]> {
  const query = { state: 'MERGED', order: 'NEWEST', withAttributes: false };
  const { items, isWhole } = await readAllItems(api, `${repositoryPath(ref)}/pull-requests`, query, MAX_PAGES);
  if (!isWhole) throw new HostRefused(404, 'More pull requests were merged than can be compared');
  return items.flatMap((json) => mergedOriginFrom(json) ?? []);
}

/** Whether the merge of a pull request updated its target by several commits, among them this one. */
async function isRebased(
  api: DataCenterApi,
  pushesOf: Pushes,
  { ref, sha, origin }: { ref: HostRef; sha: string; origin: MergedOrigin },
): Promise<boolean> {
  if (origin.mergeSha === null) throw new HostRefused(404, 'The code host does not report the commit of a merge');
  const since = new Date(Date.parse(origin.closedAt) - MARGIN_MS).toISOString();
  const { items, isWhole } = await pushesOf(ref, origin.baseRef, since);
  const push = items.find(({ after }) => after === origin.mergeSha);
  if (!push)
    throw new HostRefused(404, `The code host does not list the update of a merge${isWhole ? '' : ' that long ago'}`);
  if (push.before === null) return false;
  const merged = await commitsBetween(api, ref, push.before, origin.mergeSha);
  return merged.length > 1 && merged.some((one) => one.sha === sha);
}
