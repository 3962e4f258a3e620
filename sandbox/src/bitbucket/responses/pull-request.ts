import { pushesOf } from '../../git/planted.ts';
import type { PullRequest, PullRequestReview } from '../../git/pull-request.ts';
import type { HostedRepository } from '../../github/hosted-repository.ts';
import type { Bitbucket } from '../bitbucket.ts';
import { personJson, timeText } from './account.ts';
import { selfOf } from './commit.ts';
import { fullSlug, repositoryRefJson } from './repository.ts';

/** A pull request in a list: without its participants. */
export const pullRequestJson = (bitbucket: Bitbucket, repository: HostedRepository, pull: PullRequest) => {
  const api = `${bitbucket.api}/repositories/${fullSlug(repository)}/pullrequests/${pull.number}`;
  const parts = ['decline', 'diffstat', 'commits', 'comments', 'merge', 'activity', 'diff', 'approve', 'statuses'];
  return {
    type: 'pullrequest',
    id: pull.number,
    title: pull.title,
    description: pull.body ?? '',
    summary: { type: 'rendered', raw: pull.body ?? '', markup: 'markdown', html: '' },
    state: stateOf(pull),
    draft: false,
    queued: false,
    comment_count: 0,
    task_count: 0,
    close_source_branch: false,
    reason: '',
    merge_commit: pull.mergeSha === null ? null : commitRef(bitbucket, repository, pull.mergeSha),
    closed_by: pull.state === 'closed' ? personJson(bitbucket, pull.mergedBy ?? pull.author) : null,
    author: personJson(bitbucket, pull.author),
    created_on: timeText(pull.createdAt),
    updated_on: timeText(pull.updatedAt),
    destination: sideJson(bitbucket, repository, repository.git.defaultBranch, pull.baseSha),
    source: sourceJson(bitbucket, repository, pull),
    links: {
      self: { href: api },
      html: { href: `${bitbucket.url}/${fullSlug(repository)}/pull-requests/${pull.number}` },
      ...Object.fromEntries(parts.map((part) => [part, { href: `${api}/${part}` }])),
    },
  };
};

/** A pull request with all fields. */
export const fullPullRequestJson = (bitbucket: Bitbucket, repository: HostedRepository, pull: PullRequest) => ({
  ...pullRequestJson(bitbucket, repository, pull),
  rendered: {},
  reviewers: latestReviews(pull).map(({ reviewer }) => personJson(bitbucket, reviewer)),
  participants: latestReviews(pull).map((review) => ({
    type: 'participant',
    user: personJson(bitbucket, review.reviewer),
    role: 'REVIEWER',
    approved: stateOfWord(review) === 'approved',
    state: stateOfWord(review),
    participated_on: timeText(review.at),
  })),
});

/** The latest review of each reviewer. */
const latestReviews = ({ reviews }: PullRequest): PullRequestReview[] => [
  ...new Map(reviews.map((review) => [review.reviewer.email, review])).values(),
];

/** A withdrawn approval leaves no trace. */
const stateOfWord = ({ verdict, dismissed }: PullRequestReview): 'approved' | 'changes_requested' | null =>
  dismissed !== null || verdict === 'commented' ? null : verdict;

/** The activity of a pull request, newest first. */
export const activityItemsJson = (bitbucket: Bitbucket, repository: HostedRepository, pull: PullRequest) => {
  const about = { pull_request: aboutJson(bitbucket, repository, pull) };
  const update = (at: number, by: PullRequest['author'], state: string, head = pull.headSha) => ({
    at,
    entry: {
      ...about,
      update: {
        state,
        title: pull.title,
        description: pull.body ?? '',
        draft: false,
        reason: '',
        author: personJson(bitbucket, by),
        date: timeText(at),
        changes: {},
        destination: sideJson(bitbucket, repository, repository.git.defaultBranch, pull.baseSha),
        source: sourceJson(bitbucket, repository, { ...pull, headSha: head }),
      },
    },
  });
  const entries = [
    update(pull.createdAt, pull.author, 'OPEN', headAt(repository, pull, pull.createdAt)),
    ...headPushes(repository, pull)
      .filter(({ at }) => at > pull.createdAt)
      .map(({ at, by, after }) => update(at, by ?? pull.author, 'OPEN', after ?? pull.headSha)),
    ...pull.reviews
      .filter(({ verdict }) => verdict !== 'commented')
      .map((review) => ({ at: review.at, entry: { ...about, ...reviewJson(bitbucket, repository, pull, review) } })),
    ...(pull.closedAt === null ? [] : [update(pull.closedAt, pull.mergedBy ?? pull.author, stateOf(pull))]),
  ];
  return entries.sort((one, other) => other.at - one.at).map(({ entry }) => entry);
};

const headPushes = ({ git }: HostedRepository, { headRef, mergedAt }: PullRequest) =>
  pushesOf(git).filter(
    ({ ref, after, at }) => ref === `refs/heads/${headRef}` && after !== null && (mergedAt === null || at <= mergedAt),
  );

const headAt = (repository: HostedRepository, pull: PullRequest, time: number): string =>
  headPushes(repository, pull).findLast(({ at }) => at <= time)?.after ?? pull.headSha;

/** The decision of a reviewer, as in activities and webhooks. */
export const reviewJson = (
  bitbucket: Bitbucket,
  repository: HostedRepository,
  pull: PullRequest,
  review: PullRequestReview,
) => {
  const { approval } = approvalJson(bitbucket, repository, pull, review);
  return review.verdict === 'approved' ? { approval } : { changes_requested: approval };
};

const approvalJson = (
  bitbucket: Bitbucket,
  repository: HostedRepository,
  pull: PullRequest,
  { at, reviewer }: PullRequestReview,
) => ({
  approval: {
    date: timeText(at),
    user: personJson(bitbucket, reviewer),
    pullrequest: aboutJson(bitbucket, repository, pull),
  },
});

const stateOf = ({ state, mergedAt }: PullRequest): string =>
  state === 'open' ? 'OPEN' : mergedAt === null ? 'DECLINED' : 'MERGED';

// Pull requests contain only the first twelve digits of a commit SHA.
const commitRef = (bitbucket: Bitbucket, repository: HostedRepository, sha: string) => {
  const hash = sha.slice(0, 12);
  return { hash, type: 'commit', links: selfOf(bitbucket, repository, hash) };
};

const aboutJson = ({ api, url }: Bitbucket, repository: HostedRepository, { number, title }: PullRequest) => ({
  type: 'pullrequest',
  id: number,
  title,
  draft: false,
  links: {
    self: { href: `${api}/repositories/${fullSlug(repository)}/pullrequests/${number}` },
    html: { href: `${url}/${fullSlug(repository)}/pull-requests/${number}` },
  },
});

const sideJson = (bitbucket: Bitbucket, repository: HostedRepository, branch: string, sha: string) => ({
  branch: { name: branch },
  commit: commitRef(bitbucket, repository, sha),
  repository: repositoryRefJson(bitbucket, repository),
});

// The source repository of a fork is unknown, as on Bitbucket for a deleted one.
const sourceJson = (bitbucket: Bitbucket, repository: HostedRepository, pull: PullRequest) => {
  const { headOwner, headRef, headSha } = pull;
  const side = sideJson(bitbucket, repository, headRef, headSha);
  const isOwn = headOwner === undefined || headOwner.toLowerCase() === repository.owner.login.toLowerCase();
  return isOwn ? side : { ...side, repository: null };
};
