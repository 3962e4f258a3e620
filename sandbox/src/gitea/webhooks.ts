import { ahead, reachable } from '../git/graph.ts';
import type { Commit } from '../git/log.ts';
import type { Person, PullRequest } from '../git/pull-request.ts';
import type { RefChange } from '../git/refs.ts';
import { changesOf, unlessMissing } from '../git/repository.ts';
import { userOf } from '../git/users.ts';
import { fullName, type RepositoryChange } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { asOpen } from '../github/payloads.ts';
import { newReviews, pullRequestActions } from '../github/webhook-events.ts';
import { addressOf, type Gitea } from './instance.ts';
import { ghostJson, personJson, pullJson, repositoryJson } from './responses.ts';
import { type HookEvent, messageOf } from './webhook-message.ts';

type Payload = Record<string, unknown>;

const zeros = '0'.repeat(40);
/** The default of both products (FEED_MAX_COMMIT_NUM). */
const mostCommits = 5;

/** Sends webhooks for a change of a repository: pushes first, then their effects on pull requests. */
export const sendChangeWebhooks = async (
  gitea: Gitea,
  { repository, moved, tips, pullsBefore }: RepositoryChange,
): Promise<void> => {
  const { git } = repository;
  if (!gitea.kept.hooks.some(({ repositoryId }) => repositoryId === repository.id)) return;
  const known = reachable(git.commits, tips);
  for (const change of moved) {
    const base = change.before === undefined ? known : reachable(git.commits, [change.before]);
    await sendPush(gitea, { repository, change, base });
    if (change.after !== undefined) reachable(git.commits, [change.after], known);
  }
  const before = new Map(pullsBefore.map((pull) => [pull.number, pull]));
  for (const pull of git.pullRequests) {
    for (const { action } of pullRequestActions(before.get(pull.number), pull)) {
      const by = action === 'closed' ? (pull.mergedBy ?? pull.author) : pull.author;
      sendPull(gitea, repository, { action: action === 'synchronize' ? 'synchronized' : action, pull, by });
    }
    for (const { verdict, reviewer } of newReviews(before.get(pull.number), pull))
      sendReview(gitea, repository, { pull, by: reviewer, verdict });
  }
};

/** A push of a branch or a tag; a deleted branch is an event of its own. */
export const sendPush = async (
  gitea: Gitea,
  {
    repository,
    change: { ref, before, after },
    base,
    pusher,
  }: { repository: HostedRepository; change: RefChange; base: ReadonlySet<string>; pusher?: Person | undefined },
): Promise<void> => {
  const { git } = repository;
  const by = pusher ?? git.commits.get(after ?? before ?? '')?.committer ?? { name: '', email: '' };
  const sender = personJson(gitea, by) ?? ghostJson(gitea);
  const shape = repositoryJson(gitea, repository);
  if (after === undefined) {
    const [, kind, name] = /^refs\/(heads|tags)\/(.*)$/.exec(ref) ?? [];
    const payload = { ref: name, ref_type: kind === 'tags' ? 'tag' : 'branch', pusher_type: 'user' };
    send(gitea, repository, { name: 'delete', type: 'delete' }, { ...payload, repository: shape, sender });
    return;
  }
  const pushed = ahead(git.commits, after, base);
  const commits = [];
  for (const commit of pushed.slice(0, mostCommits)) commits.push(await commitJson(gitea, repository, commit));
  send(
    gitea,
    repository,
    { name: 'push', type: 'push' },
    {
      ref,
      before: before ?? zeros,
      after,
      compare_url: `${addressOf(gitea)}/${fullName(repository)}/compare/${before ?? zeros}...${after}`,
      commits,
      total_commits: pushed.length,
      head_commit: commits[0] ?? null,
      repository: shape,
      pusher: sender,
      sender,
    },
  );
};

export const sendPull = (
  gitea: Gitea,
  repository: HostedRepository,
  { action, pull, by }: { action: string; pull: PullRequest; by: Person },
): void =>
  send(
    gitea,
    repository,
    { name: 'pull_request', type: action === 'synchronized' ? 'pull_request_sync' : 'pull_request' },
    { action, ...pullPayload(gitea, repository, action === 'opened' ? asOpen(pull) : pull, by), review: null },
  );

const reviewTypes = { approved: 'approved', changes_requested: 'rejected', commented: 'comment' } as const;

export const sendReview = (
  gitea: Gitea,
  repository: HostedRepository,
  { pull, by, verdict }: { pull: PullRequest; by: Person; verdict: keyof typeof reviewTypes },
): void => {
  const type = `pull_request_review_${reviewTypes[verdict]}`;
  send(
    gitea,
    repository,
    { name: `pull_request_${reviewTypes[verdict]}`, type },
    { action: 'reviewed', ...pullPayload(gitea, repository, pull, by), review: { type, content: '' } },
  );
};

const pullPayload = (gitea: Gitea, repository: HostedRepository, pull: PullRequest, by: Person): Payload => ({
  number: pull.number,
  pull_request: pullJson(gitea, repository, pull),
  requested_reviewer: null,
  repository: repositoryJson(gitea, repository),
  sender: personJson(gitea, by) ?? ghostJson(gitea),
  commit_id: '',
});

/** The setting that covers each event. */
const settings: Readonly<Record<string, string>> = {
  pull_request_review_approved: 'pull_request_review',
  pull_request_review_rejected: 'pull_request_review',
  pull_request_review_comment: 'pull_request_review',
};

const send = (gitea: Gitea, { id }: HostedRepository, event: HookEvent, payload: Payload): void => {
  const setting = settings[event.type] ?? event.type;
  for (const hook of gitea.kept.hooks) {
    // `pull_request` covers every event of pull requests.
    const isSubscribed =
      hook.events.includes(setting) || (setting.startsWith('pull_request') && hook.events.includes('pull_request'));
    if (hook.repositoryId === id && hook.isActive && isSubscribed)
      void gitea.deliveries.send(messageOf(hook, event, payload, gitea.isForgejo));
  }
};

const commitJson = async (gitea: Gitea, repository: HostedRepository, commit: Commit) => {
  const files = (await unlessMissing(changesOf(repository.git, commit.sha))) ?? [];
  const paths = (...statuses: string[]): string[] =>
    files.filter(({ status }) => statuses.includes(status)).map(({ path }) => path);
  const named = (key: 'author' | 'committer') => {
    const { name, email } = commit[key];
    return { name, email, username: userOf(gitea.host.users, { name, email })?.login ?? '' };
  };
  return {
    id: commit.sha,
    message: commit.message,
    url: `${addressOf(gitea)}/${fullName(repository)}/commit/${commit.sha}`,
    author: named('author'),
    committer: named('committer'),
    verification: null,
    timestamp: commit.author.date,
    added: paths('added', 'copied', 'renamed'),
    removed: paths('removed'),
    modified: paths('modified', 'changed'),
  };
};
