import type { FileChange } from '../git/changes.ts';
import { type Commit, parentsOf } from '../git/log.ts';
import type { CommitCheck } from '../git/model.ts';
import type { Person, PullRequest, PullRequestReview } from '../git/pull-request.ts';
import { headOf } from '../git/repository.ts';
import { stableId, type User, userOf } from '../git/users.ts';
import { fullName } from '../github/host.ts';
import type { GithubAccount, HostedRepository } from '../github/hosted-repository.ts';
import type { GiteaHook } from './hook.ts';
import { addressOf, type Gitea, type GiteaStatus } from './instance.ts';

/** Formats epoch milliseconds as both products do: whole seconds. */
export const timeText = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

type Account = Pick<User | GithubAccount, 'id' | 'login'> & { name?: string };

export const userJson = (gitea: Gitea, { id, login, name = '' }: Account) => ({
  id,
  login,
  login_name: '',
  source_id: 0,
  full_name: name,
  email: `${login}@noreply.localhost`,
  avatar_url: `${gitea.host.url}/avatars/u/${id}?v=4`,
  html_url: `${addressOf(gitea)}/${login}`,
  language: '',
  is_admin: false,
  last_login: '0001-01-01T00:00:00Z',
  created: '2020-01-01T00:00:00Z',
  restricted: false,
  active: false,
  prohibit_login: false,
  location: '',
  website: '',
  description: '',
  visibility: 'public',
  followers_count: 0,
  following_count: 0,
  starred_repos_count: 0,
  username: login,
});

/** The placeholder of a deleted account. */
export const ghostJson = (gitea: Gitea) => userJson(gitea, { id: -1, login: 'Ghost' });

/** The account of a name and address; null if the address has no account. */
export const personJson = (gitea: Gitea, person: Person | null) => {
  const user = person === null ? undefined : userOf(gitea.host.users, person);
  return user === undefined ? null : userJson(gitea, user);
};

export const organizationJson = (gitea: Gitea, { id, login }: GithubAccount) => ({
  id,
  name: login,
  full_name: '',
  email: '',
  avatar_url: `${gitea.host.url}/avatars/u/${id}?v=4`,
  description: '',
  website: '',
  location: '',
  visibility: 'private',
  repo_admin_change_team_access: false,
  username: login,
});

export const repositoryJson = (gitea: Gitea, repository: HostedRepository) => {
  const { id, name, owner, git } = repository;
  const web = `${addressOf(gitea)}/${fullName(repository)}`;
  return {
    id,
    owner: userJson(gitea, owner),
    name,
    full_name: fullName(repository),
    description: '',
    empty: headOf(git) === undefined,
    private: true,
    fork: false,
    template: false,
    parent: null,
    mirror: false,
    size: 100,
    language: '',
    html_url: web,
    url: `${addressOf(gitea)}/api/v1/repos/${fullName(repository)}`,
    link: '',
    ssh_url: `git@sandbox:${fullName(repository)}.git`,
    clone_url: `${web}.git`,
    default_branch: git.defaultBranch,
    archived: false,
    created_at: timeText(Number.isFinite(git.startedAt) ? git.startedAt : 0),
    updated_at: timeText(headOf(git)?.committer.at ?? 0),
    permissions: { admin: gitea.areAdministrators, push: true, pull: true },
    has_issues: true,
    has_pull_requests: true,
    allow_merge_commits: true,
    allow_rebase: true,
    allow_rebase_explicit: true,
    allow_squash_merge: true,
    allow_fast_forward_only_merge: true,
    default_merge_style: 'merge',
    avatar_url: '',
    internal: false,
    mirror_interval: '',
    object_format_name: 'sha1',
  };
};

/** `files`: undefined without `files=true` or in a partial clone. */
export const commitJson = (
  gitea: Gitea,
  repository: HostedRepository,
  commit: Commit,
  { files, hasStat = false }: { files?: FileChange[] | undefined; hasStat?: boolean } = {},
) => {
  const api = `${addressOf(gitea)}/api/v1/repos/${fullName(repository)}`;
  const signed = (key: 'author' | 'committer') => {
    const { name, email, date } = commit[key];
    return { name, email, date };
  };
  const sum = (field: 'additions' | 'deletions') => (files ?? []).reduce((all, file) => all + file[field], 0);
  return {
    url: `${api}/git/commits/${commit.sha}`,
    sha: commit.sha,
    created: commit.committer.date,
    html_url: `${addressOf(gitea)}/${fullName(repository)}/commit/${commit.sha}`,
    commit: {
      url: `${api}/git/commits/${commit.sha}`,
      author: signed('author'),
      committer: signed('committer'),
      message: commit.message,
      tree: { url: `${api}/git/trees/${commit.tree}`, sha: commit.tree, created: commit.committer.date },
      verification: verificationJson(commit, repository.git.planted.signatures.get(commit.sha)),
    },
    author: personJson(gitea, commit.author),
    committer: personJson(gitea, commit.committer),
    parents: parentsOf(commit).map((sha) => ({
      url: `${api}/git/commits/${sha}`,
      sha,
      created: '0001-01-01T00:00:00Z',
    })),
    files: (files ?? []).map(({ path, status }) => ({
      filename: path,
      status: status === 'removed' ? 'removed' : status === 'added' || status === 'copied' ? 'added' : 'modified',
    })),
    stats: hasStat
      ? { total: sum('additions') + sum('deletions'), additions: sum('additions'), deletions: sum('deletions') }
      : null,
  };
};

const verificationJson = ({ message }: Commit, signature: string | undefined) =>
  signature === undefined
    ? { verified: false, reason: 'gpg.error.not_signed_commit', signature: '', signer: null, payload: '' }
    : { verified: false, reason: 'gpg.error.no_gpg_keys_found', signature, signer: null, payload: message };

export const isFork = ({ owner }: HostedRepository, { headOwner }: Pick<PullRequest, 'headOwner'>): boolean =>
  headOwner !== undefined && headOwner.toLowerCase() !== owner.login.toLowerCase();

/** The text with the words that close the linked issues, which is the only link between both. */
const bodyOf = ({ body, linkedIssues }: PullRequest): string =>
  [body ?? '', ...linkedIssues.map((number) => `Closes #${number}`)].filter((line) => line !== '').join('\n\n');

export const pullJson = (gitea: Gitea, repository: HostedRepository, pull: PullRequest) => {
  const web = `${addressOf(gitea)}/${fullName(repository)}/pulls/${pull.number}`;
  const timeOrNull = (at: number | null) => (at === null ? null : timeText(at));
  const isMerged = pull.mergedAt !== null;
  const shape = repositoryJson(gitea, repository);
  const { defaultBranch } = repository.git;
  const isForeign = isFork(repository, pull);
  return {
    id: stableId(`gitea-pull:${repository.id}:${pull.number}`),
    url: web,
    number: pull.number,
    user: personJson(gitea, pull.author) ?? ghostJson(gitea),
    title: pull.title,
    body: bodyOf(pull),
    labels: pull.labels.map((name) => ({ id: stableId(`label:${name}`), name, color: 'ededed', description: '' })),
    milestone: null,
    assignee: null,
    assignees: null,
    requested_reviewers: null,
    state: pull.state,
    draft: false,
    is_locked: false,
    comments: 0,
    html_url: web,
    diff_url: `${web}.diff`,
    patch_url: `${web}.patch`,
    mergeable: pull.state === 'open',
    merged: isMerged,
    merged_at: timeOrNull(pull.mergedAt),
    merge_commit_sha: pull.mergeSha,
    merged_by: isMerged ? personJson(gitea, pull.mergedBy) : null,
    allow_maintainer_edit: false,
    base: { label: defaultBranch, ref: defaultBranch, sha: pull.baseSha, repo_id: repository.id, repo: shape },
    head: {
      label: pull.headRef,
      ref: pull.headRef,
      sha: pull.headSha,
      repo_id: isForeign ? stableId(`fork:${pull.headOwner}:${repository.id}`) : repository.id,
      repo: isForeign ? null : shape,
    },
    merge_base: pull.baseSha,
    due_date: null,
    created_at: timeText(pull.createdAt),
    updated_at: timeText(pull.updatedAt),
    closed_at: timeOrNull(pull.closedAt),
    pin_order: 0,
  };
};

export const reviewId = ({ id }: HostedRepository, number: number, key: string): number =>
  stableId(`gitea-review:${id}:${number}:${key}`);

const states = { approved: 'APPROVED', changes_requested: 'REQUEST_CHANGES', commented: 'COMMENT' } as const;

/** A later decision of the same account makes an earlier one not official. */
export const reviewJson = (
  gitea: Gitea,
  repository: HostedRepository,
  pull: PullRequest,
  review: PullRequestReview,
) => {
  const isReplaced = pull.reviews.some(
    (other) => other.reviewer.email === review.reviewer.email && other.verdict !== 'commented' && other.at > review.at,
  );
  const web = `${addressOf(gitea)}/${fullName(repository)}/pulls/${pull.number}`;
  const id = reviewId(repository, pull.number, review.key);
  return {
    id,
    user: personJson(gitea, review.reviewer) ?? ghostJson(gitea),
    team: null,
    state: states[review.verdict],
    body: '',
    commit_id: review.commit,
    stale: review.commit !== pull.headSha,
    official: review.verdict !== 'commented' && !isReplaced,
    dismissed: review.dismissed !== null,
    comments_count: 0,
    submitted_at: timeText(review.at),
    updated_at: timeText(review.dismissed?.at ?? review.at),
    html_url: `${web}#issuecomment-${id}`,
    pull_request_url: web,
  };
};

/** A planted check: both products have statuses only. */
export const plantedStatus = ({ id }: HostedRepository, check: CommitCheck): GiteaStatus => ({
  id: stableId(`gitea-status:${id}:${check.sha}:${check.name}:${check.startedAt}:${check.isStatus}`),
  repositoryId: id,
  sha: check.sha,
  context: check.name,
  state: stateOf(check),
  description: '',
  url: '',
  at: check.completedAt ?? check.startedAt,
});

const stateOf = ({ completedAt, conclusion }: CommitCheck): string => {
  if (completedAt === null || conclusion === null) return 'pending';
  if (conclusion === 'success' || conclusion === 'failure' || conclusion === 'skipped') return conclusion;
  return conclusion === 'neutral' ? 'warning' : 'error';
};

export const statusJson = (gitea: Gitea, repository: HostedRepository, status: GiteaStatus) => ({
  id: status.id,
  status: status.state,
  target_url: status.url,
  description: status.description,
  url: `${addressOf(gitea)}/api/v1/repos/${fullName(repository)}/statuses/${status.sha}`,
  context: status.context,
  creator: null,
  created_at: timeText(status.at),
  updated_at: timeText(status.at),
});

export const hookJson = ({ id, url, events, isActive, createdAt }: GiteaHook) => ({
  id,
  type: 'gitea',
  branch_filter: '*',
  config: { content_type: 'json', url },
  events,
  authorization_header: '',
  active: isActive,
  updated_at: timeText(createdAt),
  created_at: timeText(createdAt),
});
