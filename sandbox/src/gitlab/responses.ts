import type { FileChange } from '../git/changes.ts';
import { type Commit, parentsOf } from '../git/log.ts';
import { rulesAt } from '../git/planted.ts';
import type { Person, PullRequest } from '../git/pull-request.ts';
import { headOf, historyOf } from '../git/repository.ts';
import { stableId, type User, userOf } from '../git/users.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import type { Hook } from './hook.ts';
import { addressOf, type GitlabInstance, type Group, groupOf, pathOf } from './instance.ts';

/** Formats epoch milliseconds as in GitLab's REST API. */
export const timeText = (at: number): string => new Date(at).toISOString();

export const userJson = (instance: GitlabInstance, { id, login, name }: User) => ({
  id,
  username: login,
  name,
  state: 'active',
  locked: false,
  avatar_url: `${instance.host.url}/avatars/u/${id}?v=4`,
  web_url: `${addressOf(instance)}/${login}`,
});

/** The account of a name and address; null if the address has no account. */
export const personJson = (instance: GitlabInstance, person: Person | null) => {
  const user = person === null ? undefined : userOf(instance.host.users, person);
  return user === undefined ? null : userJson(instance, user);
};

export const groupJson = (instance: GitlabInstance, { id, name, path, parent }: Group) => ({
  id,
  name,
  path: path.slice(path.lastIndexOf('/') + 1),
  full_path: path,
  parent_id: parent,
  full_name: path.replaceAll('/', ' / '),
  description: '',
  visibility: 'private',
  web_url: `${addressOf(instance)}/groups/${path}`,
  avatar_url: null,
  created_at: '2020-01-01T00:00:00.000Z',
});

export const projectJson = (instance: GitlabInstance, repository: HostedRepository, withStatistics = false) => {
  const { id, name, git } = repository;
  const [path, group] = [pathOf(repository), groupOf(instance, repository)];
  const web = `${addressOf(instance)}/${path}`;
  return {
    id,
    description: null,
    name,
    name_with_namespace: path.replaceAll('/', ' / '),
    path: name,
    path_with_namespace: path,
    created_at: timeText(Number.isFinite(git.startedAt) ? git.startedAt : 0),
    default_branch: headOf(git) === undefined ? null : git.defaultBranch,
    tag_list: [],
    topics: [],
    ssh_url_to_repo: `git@sandbox:${path}.git`,
    http_url_to_repo: `${web}.git`,
    web_url: web,
    avatar_url: null,
    star_count: 0,
    forks_count: 0,
    archived: false,
    visibility: 'private',
    last_activity_at: timeText(headOf(git)?.committer.at ?? 0),
    empty_repo: headOf(git) === undefined,
    namespace: {
      id: group.id,
      name: group.name,
      path: group.path.slice(group.path.lastIndexOf('/') + 1),
      kind: 'group',
      full_path: group.path,
      parent_id: group.parent,
      web_url: `${addressOf(instance)}/groups/${group.path}`,
    },
    only_allow_merge_if_pipeline_succeeds: requiresPipeline(repository),
    permissions: { project_access: null, group_access: { access_level: 40, notification_level: 3 } },
    ...(withStatistics && {
      statistics: { commit_count: historyOf(git, headOf(git)?.sha ?? '').length, repository_size: 0 },
    }),
  };
};

/** GitLab requires successful pipelines, not checks by name. */
const requiresPipeline = ({ git }: HostedRepository): boolean =>
  (rulesAt(git.planted.protections, git.defaultBranch, Date.now())?.requiredChecks.length ?? 0) > 0;

/** A commit in a list: with names and addresses, but without accounts. */
export const commitJson = (instance: GitlabInstance, repository: HostedRepository, commit: Commit) => ({
  id: commit.sha,
  short_id: commit.sha.slice(0, 8),
  created_at: commit.committer.date,
  parent_ids: parentsOf(commit),
  title: commit.message.split('\n', 1)[0] ?? '',
  message: commit.message,
  author_name: commit.author.name,
  author_email: commit.author.email,
  authored_date: commit.author.date,
  committer_name: commit.committer.name,
  committer_email: commit.committer.email,
  committed_date: commit.committer.date,
  trailers: {},
  extended_trailers: {},
  web_url: `${addressOf(instance)}/${pathOf(repository)}/-/commit/${commit.sha}`,
});

export const diffJson = ({ path, previousPath, status }: FileChange, diff: string) => ({
  diff,
  collapsed: false,
  too_large: false,
  new_path: path,
  old_path: previousPath ?? path,
  a_mode: status === 'added' ? '0' : '100644',
  b_mode: status === 'removed' ? '0' : '100644',
  new_file: status === 'added',
  renamed_file: status === 'renamed',
  deleted_file: status === 'removed',
  generated_file: false,
});

export const stateOf = ({ state, mergedAt }: PullRequest): 'opened' | 'merged' | 'closed' =>
  state === 'open' ? 'opened' : mergedAt === null ? 'closed' : 'merged';

/**
 * The commit of the target branch that merged a merge request: a merge commit, a squash commit, or its own commit for a
 * fast-forward.
 */
export const mergesOf = ({ git }: HostedRepository, { mergeSha, headSha }: PullRequest) => {
  const isMerge = (git.commits.get(mergeSha ?? '')?.parents.length ?? 0) > 1;
  return {
    merge_commit_sha: isMerge ? mergeSha : null,
    squash_commit_sha: isMerge || mergeSha === headSha ? null : mergeSha,
  };
};

export const mergeRequestId = ({ id }: HostedRepository, { number }: Pick<PullRequest, 'number'>): number =>
  stableId(`merge-request:${id}:${number}`);

export const mergeRequestJson = (instance: GitlabInstance, repository: HostedRepository, pull: PullRequest) => {
  const mergedBy = pull.mergedAt === null ? null : personJson(instance, pull.mergedBy);
  const timeOrNull = (at: number | null) => (at === null ? null : timeText(at));
  const isMerged = pull.mergedAt !== null;
  return {
    id: mergeRequestId(repository, pull),
    iid: pull.number,
    project_id: repository.id,
    title: pull.title,
    description: pull.body ?? '',
    state: stateOf(pull),
    draft: false,
    work_in_progress: false,
    created_at: timeText(pull.createdAt),
    updated_at: timeText(pull.updatedAt),
    merged_by: mergedBy,
    merge_user: mergedBy,
    merged_at: timeOrNull(pull.mergedAt),
    closed_by: isMerged || pull.state === 'open' ? null : personJson(instance, pull.author),
    closed_at: isMerged ? null : timeOrNull(pull.closedAt),
    target_branch: repository.git.defaultBranch,
    source_branch: pull.headRef,
    author: personJson(instance, pull.author) ?? ghost(instance),
    assignees: [],
    assignee: null,
    reviewers: [],
    milestone: null,
    upvotes: 0,
    downvotes: 0,
    labels: pull.labels,
    // The source project of a fork is unknown, as on GitLab for a deleted one.
    source_project_id: pull.headOwner === undefined ? repository.id : null,
    target_project_id: repository.id,
    sha: pull.headSha,
    ...mergesOf(repository, pull),
    squash: false,
    merge_status: 'can_be_merged',
    detailed_merge_status: 'mergeable',
    user_notes_count: 0,
    reference: `!${pull.number}`,
    web_url: `${addressOf(instance)}/${pathOf(repository)}/-/merge_requests/${pull.number}`,
  };
};

/** The project as in webhooks. */
export const hookProjectJson = (instance: GitlabInstance, repository: HostedRepository) => {
  const [path, web] = [pathOf(repository), `${addressOf(instance)}/${pathOf(repository)}`];
  return {
    id: repository.id,
    name: repository.name,
    description: null,
    web_url: web,
    avatar_url: null,
    git_ssh_url: `git@sandbox:${path}.git`,
    git_http_url: `${web}.git`,
    namespace: 'code',
    visibility_level: 0,
    path_with_namespace: path,
    default_branch: repository.git.defaultBranch,
    ci_config_path: '',
    homepage: web,
    url: `git@sandbox:${path}.git`,
    ssh_url: `git@sandbox:${path}.git`,
    http_url: `${web}.git`,
  };
};

export const hookJson = ({ id, url, projectId, events, createdAt, token, signingToken }: Hook) => ({
  id,
  url,
  name: '',
  description: '',
  project_id: projectId,
  created_at: timeText(createdAt),
  push_events: events.push,
  tag_push_events: events.tagPush,
  merge_requests_events: events.mergeRequests,
  issues_events: false,
  note_events: false,
  job_events: false,
  pipeline_events: false,
  wiki_page_events: false,
  enable_ssl_verification: true,
  alert_status: 'executable',
  disabled_until: null,
  token_present: token !== null,
  signing_token_present: signingToken !== null,
});

export const ghost = (instance: GitlabInstance) => ({
  id: 1,
  username: 'ghost',
  name: 'Ghost User',
  state: 'active',
  locked: false,
  avatar_url: null,
  web_url: `${addressOf(instance)}/ghost`,
});
