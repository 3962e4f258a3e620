import type { FileChange } from '../../git/changes.ts';
import type { PullRequest, PullRequestReview } from '../../git/pull-request.ts';
import { changesOf, differenceOf, unlessMissing } from '../../git/repository.ts';
import { stableId } from '../../git/users.ts';
import { fullName, type Host } from '../host.ts';
import type { HostedRepository } from '../hosted-repository.ts';
import { accountJson, nodeId, personJson, timeText } from './account.ts';
import { countLines } from './commit.ts';
import { repositoryJson } from './repository.ts';

/** A pull request in a list: without `merged`, `merged_by` and the counts. */
export const pullRequestJson = (host: Host, repository: HostedRepository, pull: PullRequest) => {
  const self = `${host.api}/repos/${fullName(repository)}`;
  const [api, issue] = [`${self}/pulls/${pull.number}`, `${self}/issues/${pull.number}`];
  const html = `${host.url}/${fullName(repository)}/pull/${pull.number}`;
  const id = stableId(`pull:${repository.id}:${pull.number}`);
  const urls = {
    commits: `${api}/commits`,
    review_comments: `${api}/comments`,
    comments: `${issue}/comments`,
    review_comment: `${self}/pulls/comments{/number}`,
    statuses: `${self}/statuses/${pull.headSha}`,
  };
  return {
    url: api,
    id,
    node_id: nodeId('PullRequest', id),
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: issue,
    number: pull.number,
    state: pull.state,
    locked: false,
    title: pull.title,
    user: personJson(host, pull.author),
    body: pull.body,
    created_at: timeText(pull.createdAt),
    updated_at: timeText(pull.updatedAt),
    closed_at: pull.closedAt === null ? null : timeText(pull.closedAt),
    merged_at: pull.mergedAt === null ? null : timeText(pull.mergedAt),
    merge_commit_sha: pull.mergeSha,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    milestone: null,
    labels: pull.labels.map((label) => labelJson(self, repository, label)),
    draft: false,
    commits_url: urls.commits,
    review_comments_url: urls.review_comments,
    review_comment_url: urls.review_comment,
    comments_url: urls.comments,
    statuses_url: urls.statuses,
    head: headJson(host, repository, pull),
    base: sideJson(host, repository, repository.git.defaultBranch, pull.baseSha),
    _links: Object.fromEntries(
      Object.entries({ self: api, html, issue, ...urls }).map(([name, href]) => [name, { href }]),
    ),
    author_association: 'CONTRIBUTOR',
    // After the merge, only the timeline contains who enabled auto-merge.
    auto_merge:
      pull.autoMerge === null || pull.state === 'closed'
        ? null
        : {
            enabled_by: personJson(host, pull.autoMerge.by),
            merge_method: 'merge',
            commit_title: pull.title,
            commit_message: '',
          },
    active_lock_reason: null,
  };
};

/**
 * A pull request with all fields, as in its own response and in webhooks. `files` are its changes, undefined if a
 * partial clone lacks them.
 */
export const fullPullRequestJson = (
  host: Host,
  repository: HostedRepository,
  pull: PullRequest,
  files: FileChange[] | undefined,
) => {
  const isOpen = pull.state === 'open';
  return {
    ...pullRequestJson(host, repository, pull),
    merged: pull.mergedAt !== null,
    mergeable: isOpen ? true : null,
    rebaseable: isOpen ? true : null,
    mergeable_state: isOpen ? 'clean' : 'unknown',
    merged_by: personJson(host, pull.mergedBy),
    comments: 0,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: pull.commits.length,
    ...(files && { ...countLines(files), changed_files: files.length }),
  };
};

/** The changes of a pull request; for a merged one, those of its merge into the default branch. */
export const pullRequestFiles = ({ git }: HostedRepository, pull: PullRequest): Promise<FileChange[]> =>
  pull.mergeSha !== null && (pull.mergeSha !== pull.headSha || pull.commits.length === 1)
    ? changesOf(git, pull.mergeSha)
    : differenceOf(git, pull.baseSha, pull.headSha);

/** The same, or undefined if a partial clone lacks them. */
export const maybePullRequestFiles = (repository: HostedRepository, pull: PullRequest) =>
  unlessMissing(pullRequestFiles(repository, pull));

/** The host's ID of a review. */
export const reviewId = (
  { id }: HostedRepository,
  { number }: Pick<PullRequest, 'number'>,
  { key }: Pick<PullRequestReview, 'key'>,
): number => stableId(`review:${id}:${number}:${key}`);

export const reviewJson = (host: Host, repository: HostedRepository, pull: PullRequest, review: PullRequestReview) => {
  const html = `${host.url}/${fullName(repository)}/pull/${pull.number}`;
  const api = `${host.api}/repos/${fullName(repository)}/pulls/${pull.number}`;
  const id = reviewId(repository, pull, review);
  return {
    id,
    node_id: nodeId('PullRequestReview', id),
    user: personJson(host, review.reviewer),
    body: '',
    state: review.dismissed === null ? review.verdict.toUpperCase() : 'DISMISSED',
    html_url: `${html}#pullrequestreview-${id}`,
    pull_request_url: api,
    author_association: 'COLLABORATOR',
    _links: { html: { href: `${html}#pullrequestreview-${id}` }, pull_request: { href: api } },
    submitted_at: timeText(review.at),
    commit_id: review.commit,
  };
};

export const labelJson = (self: string, repository: HostedRepository, name: string) => {
  const id = stableId(`label:${repository.id}:${name}`);
  const url = `${self}/labels/${encodeURIComponent(name)}`;
  return { id, node_id: nodeId('Label', id), url, name, color: 'ededed', default: false, description: null };
};

const headJson = (host: Host, repository: HostedRepository, pull: PullRequest) => {
  const { headOwner, headRef, headSha } = pull;
  if (headOwner === undefined || headOwner.toLowerCase() === repository.owner.login.toLowerCase()) {
    return sideJson(host, repository, headRef, headSha);
  }
  // The source repository of a fork is unknown, as on GitHub for a deleted one.
  const user = host.users.byLogin.get(headOwner.toLowerCase());
  const shape = user === undefined ? null : accountJson(host, user);
  return { label: `${headOwner}:${headRef}`, ref: headRef, sha: headSha, user: shape, repo: null };
};

const sideJson = (host: Host, repository: HostedRepository, ref: string, sha: string) => ({
  label: `${repository.owner.login}:${ref}`,
  ref,
  sha,
  user: accountJson(host, repository.owner),
  repo: repositoryJson(host, repository),
});
