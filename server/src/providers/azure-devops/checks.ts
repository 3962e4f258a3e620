import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import type { HostCheck } from '#providers/host-evidence.ts';
import type { HostRef } from '../host-facts.ts';
import { queryPullRequests } from './origins.ts';
import { readEvery } from './paging.ts';
import { buildNameOf, policyTypes, readPolicy, statusNameOf } from './policy-shapes.ts';
import { projectPath, readIterations, repositoryPath } from './reads.ts';
import { identityRef, list, maybeTime, project } from './shapes.ts';
import type { AzureDevopsApi } from './transport.ts';

const status = z.object({
  state: z.string().nullish(),
  context: z.object({ name: z.string().nullish(), genre: z.string().nullish() }).nullish(),
  creationDate: maybeTime,
  updatedDate: maybeTime,
  createdBy: identityRef.nullish(),
  iterationId: z.number().int().nullish(),
});

const conclusions: Readonly<Record<string, string>> = {
  succeeded: 'success',
  partiallysucceeded: 'failure',
  failed: 'failure',
  error: 'error',
  notapplicable: 'neutral',
};

/** Parses a status of a commit or pull request. Its account is what a policy can require. */
function checkFrom(json: unknown, sha: string): HostCheck & { iterationId: number | null } {
  const { state, context, creationDate, updatedDate, createdBy, iterationId } = status.parse(json);
  const conclusion = conclusions[(state ?? '').toLowerCase()] ?? null;
  return {
    name: statusNameOf(context?.genre, context?.name),
    app: createdBy?.id?.toLowerCase() ?? null,
    sha,
    conclusion,
    completedAt: conclusion === null ? null : (creationDate ?? updatedDate),
    iterationId: iterationId ?? null,
  };
}

/** Reads the statuses of a commit, and the statuses and builds of the pull requests with this head. */
export async function readChecks(api: AzureDevopsApi, ref: HostRef, sha: string): Promise<HostCheck[]> {
  const path = `${repositoryPath(ref)}/commits/${encodeURIComponent(sha)}/statuses`;
  const statuses = list.parse((await api.json(path, { query: { top: MAX_STATUSES, latestOnly: false } })).data);
  if (statuses.length >= MAX_STATUSES) throw new HostRefused(404, 'The commit has more statuses than can be read');
  const checks: HostCheck[] = statuses.map((json) => withoutIteration(checkFrom(json, sha)));
  for (const pull of (await queryPullRequests(api, ref, sha)).containing) {
    checks.push(...(await readPullRequestStatuses(api, ref, pull.pullRequestId, sha)));
    if (pull.lastMergeSourceCommit?.commitId === sha)
      checks.push(...(await readBuilds(api, ref, pull.pullRequestId, sha)));
  }
  return checks;
}

const MAX_STATUSES = 1000;

const withoutIteration = ({ iterationId: _, ...check }: ReturnType<typeof checkFrom>): HostCheck => check;

/** The statuses of a pull request for a commit: by their iteration, or by their time without one. */
async function readPullRequestStatuses(
  api: AzureDevopsApi,
  ref: HostRef,
  number: number,
  sha: string,
): Promise<HostCheck[]> {
  const iterations = await readIterations(api, ref, number);
  const { data } = await api.json(`${repositoryPath(ref)}/pullRequests/${number}/statuses`);
  return list.parse(data).flatMap((json) => {
    const check = checkFrom(json, sha);
    const of =
      check.iterationId === null
        ? iterations.findLast(({ createdDate }) => check.completedAt === null || createdDate <= check.completedAt)
        : iterations.find(({ id }) => id === check.iterationId);
    return of?.sourceRefCommit?.commitId === sha ? withoutIteration(check) : [];
  });
}

const evaluation = z.object({
  configuration: z.unknown(),
  status: z.string().nullish(),
  startedDate: maybeTime,
  completedDate: maybeTime,
});

const outcomes: Readonly<Record<string, string>> = { approved: 'success', rejected: 'failure', broken: 'error' };

/** The builds that policies require, as of their last evaluation: earlier runs are not reported. */
async function readBuilds(api: AzureDevopsApi, ref: HostRef, number: number, sha: string): Promise<HostCheck[]> {
  const { data } = await api.json(`/_apis/projects/${projectPath(ref).slice(1)}`);
  const artifactId = `vstfs:///CodeReview/CodeReviewId/${project.parse(data).id}/${number}`;
  const path = `${projectPath(ref)}/_apis/policy/evaluations`;
  const found = await readEvery(api, path, { query: { artifactId }, isPreview: true });
  return found.flatMap((json): HostCheck[] => {
    const { configuration, status: state, completedDate } = evaluation.parse(json);
    const policy = readPolicy(configuration);
    if (policy.type !== policyTypes.build) return [];
    const conclusion = outcomes[(state ?? '').toLowerCase()] ?? null;
    return [
      {
        name: buildNameOf(policy),
        app: null,
        sha,
        conclusion,
        completedAt: conclusion === null ? null : completedDate,
      },
    ];
  });
}
