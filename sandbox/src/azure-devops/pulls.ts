import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parentsOf } from '../git/log.ts';
import { pushesOf } from '../git/planted.ts';
import type { Person, PullRequest } from '../git/pull-request.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { pullRequestFiles } from '../github/responses/pull-request.ts';
import { findRepository } from './access.ts';
import { type AzureDevops, guidOf, projectIdOf, repositoryIdOf } from './collection.ts';
import { continued, listJson, skipped } from './paging.ts';
import { refuse } from './refusal.ts';
import {
  changesJson,
  isFork,
  listedCommitJson,
  personJson,
  repositoryApi,
  repositoryJson,
  timeText,
} from './responses.ts';
import { presentVotesOf } from './votes.ts';

type PullQuery = Record<string, string | undefined>;
type Queries = { Body: { queries?: { type?: string; items?: string[] }[] } };

const base = '/:project/_apis/git/repositories/:repo';
const path = `${base}/pullRequests/:number`;

/** Pull requests, their versions, commits, changes and work items. */
export const pullRoutes = (server: FastifyInstance, azureDevops: AzureDevops): void => {
  server.get(`${base}/pullrequests`, async (request) => {
    const repository = findRepository(azureDevops, request);
    const status = (request.query as PullQuery)['searchCriteria.status'] ?? 'active';
    const found = repository.git.pullRequests
      .filter((pull) => status === 'all' || statusOf(pull) === status)
      .toSorted((one, other) => other.number - one.number);
    return listJson(skipped(azureDevops, request, found).map((pull) => pullJson(azureDevops, repository, pull)));
  });
  server.get(path, async (request) => {
    const { repository, pull } = findPull(azureDevops, request);
    return pullJson(azureDevops, repository, pull);
  });
  server.get(`${path}/commits`, async (request, reply) => {
    const { repository, pull } = findPull(azureDevops, request);
    const items = pull.commits.flatMap((sha) => repository.git.commits.get(sha) ?? []).toReversed();
    return listJson(
      continued(azureDevops, request, reply, { items }).map((one) => listedCommitJson(azureDevops, repository, one)),
    );
  });
  server.get(`${path}/iterations`, async (request) => {
    const { repository, pull } = findPull(azureDevops, request);
    return listJson(
      iterationsOf(repository, pull).map(({ id, sha, at, by }) => ({
        id,
        description: '',
        author: personJson(azureDevops, by),
        createdDate: timeText(at),
        updatedDate: timeText(at),
        sourceRefCommit: { commitId: sha },
        targetRefCommit: { commitId: pull.baseSha },
        commonRefCommit: { commitId: pull.baseSha },
        hasMoreCommits: false,
        reason: id === 1 ? 'create' : 'push',
      })),
    );
  });
  server.get(`${path}/iterations/:iteration/changes`, async (request) => {
    const { repository, pull } = findPull(azureDevops, request);
    const entries = changesJson(await pullRequestFiles(repository, pull)).map((change, index) => ({
      changeTrackingId: index + 1,
      changeId: index + 1,
      ...change,
    }));
    return { changeEntries: skipped(azureDevops, request, entries) };
  });
  server.get(`${path}/workitems`, async (request) => {
    const { pull } = findPull(azureDevops, request);
    return listJson(
      pull.linkedIssues.map((id) => ({ id: String(id), url: `${azureDevops.host.url}/_apis/wit/workItems/${id}` })),
    );
  });
  server.post<Queries>(`${base}/pullrequestquery`, async (request) => {
    const repository = findRepository(azureDevops, request as FastifyRequest);
    const queries = request.body?.queries ?? [];
    const results = queries.map(({ type, items = [] }) =>
      Object.fromEntries(
        items.flatMap((sha) => {
          const found = repository.git.pullRequests.filter(({ mergedAt, mergeSha, commits, headSha }) =>
            type === 'lastMergeCommit'
              ? mergedAt !== null && mergeSha === sha
              : headSha === sha || commits.includes(sha),
          );
          return found.length === 0 ? [] : [[sha, found.map((pull) => pullJson(azureDevops, repository, pull))]];
        }),
      ),
    );
    return { queries, results };
  });
};

export const findPull = (
  azureDevops: AzureDevops,
  request: FastifyRequest,
  scope?: Parameters<typeof findRepository>[2],
) => {
  const repository = findRepository(azureDevops, request, scope);
  const { number } = request.params as { number: string };
  const pull = repository.git.pullRequests.find((one) => String(one.number) === number);
  if (pull === undefined)
    throw refuse(404, 'GitPullRequestNotFoundException', `TF401180: The requested pull request was not found.`);
  return { repository, pull };
};

const statusOf = ({ state, mergedAt }: PullRequest): string =>
  mergedAt !== null ? 'completed' : state === 'open' ? 'active' : 'abandoned';

/** How the pull request was completed, by its commits. */
const mergeStrategyOf = ({ git }: HostedRepository, { mergeSha, landed }: PullRequest): string => {
  const commit = git.commits.get(mergeSha ?? '');
  if (commit !== undefined && parentsOf(commit).length > 1) return 'noFastForward';
  return landed.length > 0 ? 'rebase' : 'squash';
};

export const pullJson = (azureDevops: AzureDevops, repository: HostedRepository, pull: PullRequest) => {
  const api = `${repositoryApi(azureDevops, repository)}/pullRequests/${pull.number}`;
  const isMerged = pull.mergedAt !== null;
  const auto = pull.autoMerge ?? pull.queued;
  const { defaultBranch } = repository.git;
  return {
    repository: repositoryJson(azureDevops, repository),
    pullRequestId: pull.number,
    codeReviewId: pull.number,
    status: statusOf(pull),
    createdBy: personJson(azureDevops, pull.author),
    creationDate: timeText(pull.createdAt),
    ...(pull.closedAt !== null && { closedDate: timeText(pull.closedAt) }),
    ...(isMerged && pull.mergedBy && { closedBy: personJson(azureDevops, pull.mergedBy) }),
    title: pull.title,
    ...(pull.body !== null && { description: pull.body }),
    sourceRefName: `refs/heads/${pull.headRef}`,
    targetRefName: `refs/heads/${defaultBranch}`,
    mergeStatus: 'succeeded',
    isDraft: false,
    mergeId: guidOf(`merge:${repository.id}:${pull.number}`),
    lastMergeSourceCommit: {
      commitId: pull.headSha,
      url: `${repositoryApi(azureDevops, repository)}/commits/${pull.headSha}`,
    },
    lastMergeTargetCommit: { commitId: pull.baseSha },
    ...(isMerged && pull.mergeSha && { lastMergeCommit: { commitId: pull.mergeSha } }),
    reviewers: reviewersJson(azureDevops, pull),
    ...(pull.labels.length > 0 && {
      labels: pull.labels.map((name) => ({ id: guidOf(`label:${name}`), name, active: true })),
    }),
    ...(isFork(repository, pull) && {
      forkSource: { name: `refs/heads/${pull.headRef}`, repository: { name: pull.headOwner } },
    }),
    ...(auto && { autoCompleteSetBy: personJson(azureDevops, auto.by) }),
    ...(isMerged && {
      completionOptions: {
        mergeStrategy: mergeStrategyOf(repository, pull),
        bypassPolicy: false,
        deleteSourceBranch: true,
        transitionWorkItems: false,
        triggeredByAutoComplete: auto !== null,
      },
    }),
    url: api,
    supportsIterations: true,
    artifactId: `vstfs:///Git/PullRequestId/${projectIdOf(repository)}%2f${repositoryIdOf(repository)}%2f${pull.number}`,
  };
};

const reviewersJson = (azureDevops: AzureDevops, pull: PullRequest) =>
  presentVotesOf(pull).map(({ by, vote }) => ({
    ...personJson(azureDevops, by),
    reviewerUrl: '',
    vote,
    hasDeclined: false,
    isRequired: false,
    isFlagged: false,
  }));

type Iteration = { id: number; sha: string; at: number; by: Person };

/** The versions of a pull request: its head when it was created, and each push to its branch since. */
export const iterationsOf = (repository: HostedRepository, pull: PullRequest): Iteration[] => {
  const until = pull.closedAt ?? Number.POSITIVE_INFINITY;
  const pushes = isFork(repository, pull)
    ? []
    : pushesOf(repository.git).filter(
        ({ ref, after, at }) => ref === `refs/heads/${pull.headRef}` && after !== null && at <= until,
      );
  const later = pushes.filter(({ at }) => at > pull.createdAt);
  const first =
    pushes.findLast(({ at }) => at <= pull.createdAt)?.after ?? later[0]?.before ?? later[0]?.after ?? pull.headSha;
  const versions = [
    { sha: first, at: pull.createdAt, by: pull.author },
    ...later.map(({ after, at, by }) => ({ sha: after ?? '', at, by: by ?? pull.author })),
  ];
  return versions
    .filter(({ sha }, index) => sha !== versions[index - 1]?.sha)
    .map((one, index) => ({ id: index + 1, ...one }));
};
