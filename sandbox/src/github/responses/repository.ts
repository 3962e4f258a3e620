import type { Refs } from '../../git/refs.ts';
import { headOf } from '../../git/repository.ts';
import { fullName, type Host } from '../host.ts';
import type { HostedRepository } from '../hosted-repository.ts';
import { accountJson, nodeId, timeText } from './account.ts';

/** A repository in REST format. All are private, so that a token sees only granted ones. */
export const repositoryJson = (host: Host, repository: HostedRepository): ReturnType<typeof build> => {
  const { refs } = repository.git;
  const known = shapes.get(repository);
  // Lists of pull requests contain it twice per item, so it is cached.
  if (known?.refs === refs && known.shape.name === repository.name) return known.shape;
  const shape = build(host, repository);
  shapes.set(repository, { refs, shape });
  return shape;
};

/** The short form in installation webhooks. */
export const summaryJson = (repository: HostedRepository) => ({
  id: repository.id,
  node_id: nodeId('Repository', repository.id),
  name: repository.name,
  full_name: fullName(repository),
  private: true,
});

/** Push webhooks contain an older format: times in epoch seconds, the owner with a name. */
export const pushedRepositoryJson = (host: Host, repository: HostedRepository) => {
  const shape = repositoryJson(host, repository);
  const { login } = repository.owner;
  return {
    ...shape,
    owner: { name: login, email: `${login}@users.noreply.github.com`, ...shape.owner },
    url: shape.html_url,
    created_at: Math.floor(repository.git.startedAt / 1000),
    pushed_at: Math.floor((headOf(repository.git)?.committer.at ?? 0) / 1000),
    stargazers: 0,
    master_branch: repository.git.defaultBranch,
  };
};

const shapes = new WeakMap<HostedRepository, { refs: Refs; shape: ReturnType<typeof build> }>();

const build = (host: Host, repository: HostedRepository) => {
  const { owner, git } = repository;
  const [self, web] = [`${host.api}/repos/${fullName(repository)}`, `${host.url}/${fullName(repository)}`];
  const pushedAt = timeText(headOf(git)?.committer.at ?? 0);
  const open = git.pullRequests.filter((pull) => pull.state === 'open').length;
  return {
    ...summaryJson(repository),
    owner: accountJson(host, owner),
    html_url: web,
    description: null,
    fork: false,
    url: self,
    ...Object.fromEntries(Object.entries(links).map(([field, path]) => [field, `${self}/${path}`])),
    git_url: `git://${host.url.replace(/^https?:\/\//, '')}/${fullName(repository)}.git`,
    ssh_url: `git@${new URL(host.url).hostname}:${fullName(repository)}.git`,
    clone_url: `${web}.git`,
    svn_url: web,
    homepage: null,
    mirror_url: null,
    language: null,
    size: git.commits.size,
    default_branch: git.defaultBranch,
    forks_count: 0,
    stargazers_count: 0,
    watchers_count: 0,
    open_issues_count: open,
    forks: 0,
    watchers: 0,
    open_issues: open,
    is_template: false,
    topics: [] as string[],
    has_issues: true,
    has_projects: true,
    has_wiki: true,
    has_pages: false,
    has_downloads: true,
    has_discussions: false,
    archived: false,
    disabled: false,
    visibility: 'private',
    license: null,
    web_commit_signoff_required: false,
    custom_properties: {},
    pushed_at: pushedAt,
    created_at: timeText(Number.isFinite(git.startedAt) ? git.startedAt : 0),
    updated_at: pushedAt,
    allow_merge_commit: true,
    allow_squash_merge: true,
    allow_rebase_merge: true,
    allow_auto_merge: false,
    allow_forking: false,
    delete_branch_on_merge: false,
    subscribers_count: 0,
    network_count: 0,
    permissions: { admin: false, maintain: false, push: false, triage: false, pull: true },
  };
};

const links = {
  archive_url: '{archive_format}{/ref}',
  assignees_url: 'assignees{/user}',
  blobs_url: 'git/blobs{/sha}',
  branches_url: 'branches{/branch}',
  collaborators_url: 'collaborators{/collaborator}',
  comments_url: 'comments{/number}',
  commits_url: 'commits{/sha}',
  compare_url: 'compare/{base}...{head}',
  contents_url: 'contents/{+path}',
  contributors_url: 'contributors',
  deployments_url: 'deployments',
  downloads_url: 'downloads',
  events_url: 'events',
  forks_url: 'forks',
  git_commits_url: 'git/commits{/sha}',
  git_refs_url: 'git/refs{/sha}',
  git_tags_url: 'git/tags{/sha}',
  hooks_url: 'hooks',
  issue_comment_url: 'issues/comments{/number}',
  issue_events_url: 'issues/events{/number}',
  issues_url: 'issues{/number}',
  keys_url: 'keys{/key_id}',
  labels_url: 'labels{/name}',
  languages_url: 'languages',
  merges_url: 'merges',
  milestones_url: 'milestones{/number}',
  notifications_url: 'notifications{?since,all,participating}',
  pulls_url: 'pulls{/number}',
  releases_url: 'releases{/id}',
  stargazers_url: 'stargazers',
  statuses_url: 'statuses/{sha}',
  subscribers_url: 'subscribers',
  subscription_url: 'subscription',
  tags_url: 'tags',
  teams_url: 'teams',
  trees_url: 'git/trees{/sha}',
};
