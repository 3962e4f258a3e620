import { z } from 'zod';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { readRepositories } from '../core/permissions.ts';
import { provider } from '../core/providers.ts';
import { boundedText, commaList, timestamp } from '../core/text.ts';
import { attributionConfidences } from './attribution.ts';
import { repositoryParams } from './repositories.ts';

/** Open is `in-progress`; merged is `accepted`; closed without a merge is `closed` (spec 4). */
export const pullRequestStatuses = ['in-progress', 'accepted', 'closed'] as const;
export const pullRequestStatus = z.enum(pullRequestStatuses);
export type PullRequestStatus = z.infer<typeof pullRequestStatus>;

/** The two views of the pull request list (spec 4). */
export const openStatuses: PullRequestStatus[] = ['in-progress'];
export const closedStatuses: PullRequestStatus[] = ['closed', 'accepted'];

export const reviewState = z.enum(['approved', 'changes_requested', 'commented', 'dismissed', 'pending']);

export const pullRequest = z.object({
  id: z.string(),
  number: z.number(),
  title: z.string(),
  status: pullRequestStatus,
  draft: z.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
  mergedAt: timestamp.nullable(),
  closedAt: timestamp.nullable(),
  author: z.object({
    authorLogin: z.string(),
    /** The name of the person; the login if there is none. */
    name: z.string(),
    avatarUrl: z.string().nullable(),
    isAgent: z.boolean(),
    /** The member who is the author; null if the author is not a member. */
    member: z.object({ user_id: z.string(), name: z.string() }).nullable(),
  }),
  url: z.string(),
  baseRef: z.string(),
  headRef: z.string(),
  headSha: z.string(),
  additions: z.number().nullable(),
  deletions: z.number().nullable(),
  /** The latest decision of each reviewer. */
  reviewers: z.array(
    z.object({
      login: z.string(),
      /** The name of the person; the login if there is none. */
      name: z.string(),
      picture: z.string().nullable(),
      state: reviewState,
      at: timestamp,
      afterLastPush: z.boolean(),
    }),
  ),
  /**
   * Check runs of the head commit; null until the change is recorded at its merge, and if the code host does not report
   * them.
   */
  checks: z.object({ total: z.number(), failed: z.number() }).nullable(),
  /** The share of its lines attributed to agents, with the lowest confidence; null without an attribution. */
  aiShare: z.object({ ratio: z.number().min(0).max(1), confidence: z.enum(attributionConfidences) }).nullable(),
  exploreContext: z.object({ contextId: z.string() }),
});
export type PullRequest = z.infer<typeof pullRequest>;

export const listPullRequests = endpoint({
  method: 'GET',
  path: '/v2/repositories/:provider/:repoPath/pull-requests',
  summary: 'Lists the pull requests of a repository.',
  scope: 'organization',
  permission: readRepositories,
  flag: 'release2',
  params: repositoryParams,
  query: pagedQuery(['date-desc', 'date-asc'], {
    statuses: commaList(pullRequestStatus),
    authors: commaList(boundedText(200)),
  }),
  topics: ['orgRepos'],
  response: z.array(pullRequest),
  paged: true,
});
export const exportPullRequests = csvExportOf(listPullRequests);
export type PullRequestsQuery = z.output<typeof listPullRequests.query>;

/** A pull request with its repository, for lists over several repositories. */
export const ownPullRequest = pullRequest.extend({
  repository: z.object({ id: z.string(), provider, fullName: z.string() }),
});
export type OwnPullRequest = z.infer<typeof ownPullRequest>;

export const listOwnPullRequests = endpoint({
  method: 'GET',
  path: '/v2/user/pull-requests',
  summary: 'Lists the pull requests of the member in all repositories that they may see.',
  scope: 'organization',
  permission: readRepositories,
  flag: 'release2',
  query: pagedQuery(['date-desc', 'date-asc'], { statuses: commaList(pullRequestStatus) }),
  topics: ['orgRepos'],
  response: z.array(ownPullRequest),
  paged: true,
});

export const getPullRequestsMeta = endpoint({
  method: 'GET',
  path: '/v2/repositories/:provider/:repoPath/pull-requests/meta',
  summary: 'Returns the number of open and closed pull requests, and their authors.',
  scope: 'organization',
  permission: readRepositories,
  flag: 'release2',
  params: repositoryParams,
  topics: ['orgRepos'],
  response: z.object({
    count: z.object({ open: z.number(), closed: z.number() }),
    authors: z.array(
      z.object({ authorLogin: z.string(), name: z.string(), avatarUrl: z.string().nullable(), count: z.number() }),
    ),
  }),
});

export const getPullRequest = endpoint({
  method: 'GET',
  path: '/v2/repositories/:provider/:repoPath/pull-requests/:prNumber',
  summary: 'Returns a pull request.',
  scope: 'organization',
  permission: readRepositories,
  flag: 'release2',
  params: repositoryParams.extend({ prNumber: z.coerce.number().int().min(1).max(2_147_483_647) }),
  topics: ['orgRepos'],
  response: pullRequest,
});
