import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import type { HostEvidence, MergedPullRequest } from '#providers/host-evidence.ts';
import type { HostRef } from '../host-facts.ts';
import { readPush } from './commit-shapes.ts';
import { readContinued } from './paging.ts';
import { type AzureDevopsPullRequest, isCompleted, readPullRequest } from './pull-request-shapes.ts';
import { commitsBetween, readOneCommit, repositoryPath } from './reads.ts';
import { branchOf } from './shapes.ts';
import type { AzureDevopsApi } from './transport.ts';

const results = z.object({ results: z.array(z.record(z.string(), z.array(z.unknown()))) });

/**
 * Returns the reader of the merged pull requests of a commit: those that it completed, and those with the commit in their
 * branch if their completion brought it to the target. A rebase makes copies of the commits, which the API finds by no
 * query: the push that introduced a copy shows the pull request if it is as long as that.
 */
export const createOrigins =
  (api: AzureDevopsApi): HostEvidence['pullsOf'] =>
  async (ref, sha) => {
    const { completing, containing } = await queryPullRequests(api, ref, sha);
    const found = new Map<number, MergedPullRequest>();
    for (const pull of completing) {
      if (isCompleted(pull) && pull.lastMergeCommit?.commitId === sha) found.set(pull.pullRequestId, originOf(pull));
    }
    for (const pull of containing) {
      if (isCompleted(pull) && !found.has(pull.pullRequestId) && (await keepsCommits(api, ref, pull)))
        found.set(pull.pullRequestId, originOf(pull));
    }
    return found.size > 0 ? [...found.values()] : findRebased(api, ref, sha);
  };

const originOf = ({ pullRequestId, targetRefName }: AzureDevopsPullRequest): MergedPullRequest => ({
  number: pullRequestId,
  baseRef: branchOf(targetRefName),
});

/** The pull requests that a commit completes, and those whose branch contains it. */
export async function queryPullRequests(
  api: AzureDevopsApi,
  ref: HostRef,
  sha: string,
): Promise<{ completing: AzureDevopsPullRequest[]; containing: AzureDevopsPullRequest[] }> {
  const body = { queries: ['lastMergeCommit', 'commit'].map((type) => ({ type, items: [sha] })) };
  const { data } = await api.json(`${repositoryPath(ref)}/pullrequestquery`, { method: 'POST', body, isQuery: true });
  const [completing = [], containing = []] = results
    .parse(data)
    .results.map((one) => (one[sha] ?? []).map(readPullRequest));
  return { completing, containing };
}

/** Whether the completion brought the commits of the branch to the target, rather than a squash or copies of them. */
async function keepsCommits(api: AzureDevopsApi, ref: HostRef, pull: AzureDevopsPullRequest): Promise<boolean> {
  const [merged, head] = [pull.lastMergeCommit?.commitId, pull.lastMergeSourceCommit?.commitId];
  if (merged === undefined || head === undefined) return false;
  if (merged === head) return true;
  return ((await readOneCommit(api, ref, merged)).parents ?? []).includes(head);
}

async function findRebased(api: AzureDevopsApi, ref: HostRef, sha: string): Promise<MergedPullRequest[]> {
  const { push } = await readOneCommit(api, ref, sha);
  if (!push) throw new HostRefused(404, 'Azure DevOps does not name the push of a commit');
  const query = { includeCommits: 0, includeRefUpdates: true };
  const { refUpdates } = readPush((await api.json(`${repositoryPath(ref)}/pushes/${push.pushId}`, { query })).data);
  const found: MergedPullRequest[] = [];
  for (const { name, oldObjectId: before, newObjectId: after } of refUpdates ?? []) {
    if (!name.startsWith('refs/heads/') || /^0*$/.test(after) || /^0*$/.test(before)) continue;
    const { completing } = await queryPullRequests(api, ref, after);
    const pull = completing.find(
      (one) => isCompleted(one) && one.lastMergeCommit?.commitId === after && one.targetRefName === name,
    );
    if (pull && (await isCopyOf(api, ref, pull, { sha, before, after }))) found.push(originOf(pull));
  }
  return found;
}

/** Whether a push added copies of the commits of a pull request, and no others except a merge commit. */
async function isCopyOf(
  api: AzureDevopsApi,
  ref: HostRef,
  { pullRequestId }: AzureDevopsPullRequest,
  { sha, before, after }: { sha: string; before: string; after: string },
): Promise<boolean> {
  const path = `${repositoryPath(ref)}/pullRequests/${pullRequestId}/commits`;
  const { items, isWhole } = await readContinued(api, path, { query: { $top: 1000 } });
  if (!isWhole) throw new HostRefused(404, 'A pull request has more commits than can be read');
  const pushed = await commitsBetween(api, ref, before, after);
  const isAsLong = pushed.length === items.length || pushed.length === items.length + 1;
  return items.length > 0 && isAsLong && pushed.some(({ commitId }) => commitId === sha);
}
