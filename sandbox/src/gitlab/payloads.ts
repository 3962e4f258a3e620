import { ahead } from '../git/graph.ts';
import type { Commit } from '../git/log.ts';
import type { Person, PullRequest } from '../git/pull-request.ts';
import type { RefChange } from '../git/refs.ts';
import { changesOf, unlessMissing } from '../git/repository.ts';
import { userOf } from '../git/users.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { asOpen } from '../github/payloads.ts';
import { addressOf, type GitlabInstance, pathOf } from './instance.ts';
import { hookProjectJson, mergeRequestId, mergesOf, personJson, stateOf } from './responses.ts';

type GitlabPayload = Record<string, unknown>;

/**
 * A push of a branch or a tag with its newest twenty commits; `base` contains the SHAs reachable from its old tip.
 * `pusher`: default is the last committer.
 */
export const pushPayload = async (
  instance: GitlabInstance,
  {
    repository,
    refChange: { ref, before, after },
    base,
    pusher,
  }: { repository: HostedRepository; refChange: RefChange; base: ReadonlySet<string>; pusher?: Person | undefined },
): Promise<GitlabPayload> => {
  const { git } = repository;
  const isTag = ref.startsWith('refs/tags/');
  const pushed = after === undefined ? [] : ahead(git.commits, after, base).reverse();
  const shown = isTag ? [] : pushed.slice(-mostCommits);
  const shapes = [];
  for (const commit of shown) shapes.push(await commitJson(instance, repository, commit));
  const by = pusher ?? git.commits.get(after ?? before ?? '')?.committer ?? { name: 'ghost', email: '' };
  const user = userOf(instance.host.users, by);
  return {
    object_kind: isTag ? 'tag_push' : 'push',
    event_name: isTag ? 'tag_push' : 'push',
    before: before ?? zeros,
    after: after ?? zeros,
    ref,
    ref_protected: false,
    checkout_sha: after ?? null,
    message: null,
    user_id: user?.id ?? 0,
    user_name: user?.name ?? by.name,
    user_username: user?.login ?? by.name,
    user_email: '',
    user_avatar: null,
    project_id: repository.id,
    project: hookProjectJson(instance, repository),
    commits: shapes,
    total_commits_count: isTag ? 0 : pushed.length,
    push_options: {},
    repository: shortJson(instance, repository),
  };
};

/** `open` shows the merge request as at its opening, regardless of its current state. */
export const mergeRequestPayload = (
  instance: GitlabInstance,
  repository: HostedRepository,
  { action, pull, by = pull.author }: { action: string; pull: PullRequest; by?: Person },
): GitlabPayload => {
  const shown = action === 'open' ? asOpen(pull) : pull;
  const project = hookProjectJson(instance, repository);
  const web = `${addressOf(instance)}/${pathOf(repository)}`;
  const last = repository.git.commits.get(pull.headSha);
  const author = userOf(instance.host.users, pull.author);
  return {
    object_kind: 'merge_request',
    event_type: 'merge_request',
    user: { ...personJson(instance, by), email: '[REDACTED]' },
    project,
    object_attributes: {
      id: mergeRequestId(repository, pull),
      iid: pull.number,
      title: pull.title,
      description: pull.body ?? '',
      author_id: author?.id ?? 1,
      assignee_id: null,
      assignee_ids: [],
      reviewer_ids: [],
      milestone_id: null,
      created_at: oldTime(shown.createdAt),
      updated_at: oldTime(shown.updatedAt),
      state: stateOf(shown),
      source_branch: pull.headRef,
      target_branch: repository.git.defaultBranch,
      source_project_id: repository.id,
      target_project_id: repository.id,
      draft: false,
      work_in_progress: false,
      ...mergesOf(repository, shown),
      merge_status: 'can_be_merged',
      merge_error: null,
      merge_params: {},
      last_edited_at: null,
      head_pipeline_id: null,
      blocking_discussions_resolved: true,
      url: `${web}/-/merge_requests/${pull.number}`,
      source: project,
      target: project,
      last_commit: last && {
        id: last.sha,
        message: last.message,
        title: last.message.split('\n', 1)[0],
        url: `${web}/-/commit/${last.sha}`,
        timestamp: last.committer.date,
        author: { name: last.author.name, email: last.author.email },
      },
      action,
    },
    labels: [],
    changes: {},
    repository: shortJson(instance, repository),
  };
};

const zeros = '0'.repeat(40);
const mostCommits = 20; // limit of GitLab

const commitJson = async (instance: GitlabInstance, repository: HostedRepository, commit: Commit) => {
  const files = (await unlessMissing(changesOf(repository.git, commit.sha))) ?? [];
  const paths = (...statuses: string[]): string[] =>
    files.filter(({ status }) => statuses.includes(status)).map(({ path }) => path);
  const moved = files.flatMap(({ status, previousPath }) => (status === 'renamed' ? (previousPath ?? []) : []));
  return {
    id: commit.sha,
    message: commit.message,
    title: commit.message.split('\n', 1)[0],
    timestamp: commit.committer.date,
    url: `${addressOf(instance)}/${pathOf(repository)}/-/commit/${commit.sha}`,
    author: { name: commit.author.name, email: commit.author.email },
    added: paths('added', 'copied', 'renamed'),
    modified: paths('modified', 'changed'),
    removed: [...paths('removed'), ...moved],
  };
};

const shortJson = (instance: GitlabInstance, repository: HostedRepository) => {
  const web = `${addressOf(instance)}/${pathOf(repository)}`;
  const ssh = `git@sandbox:${pathOf(repository)}.git`;
  return {
    name: repository.name,
    url: ssh,
    description: null,
    homepage: web,
    git_http_url: `${web}.git`,
    git_ssh_url: ssh,
    visibility_level: 0,
  };
};

// The time format of merge request webhooks: `2017-12-10 17:01:11 UTC`.
const oldTime = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
