import { reachable } from '../git/graph.ts';
import type { PullRequest } from '../git/pull-request.ts';
import type { RepositoryChange } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { newReviews, pullRequestActions } from '../github/webhook-events.ts';
import type { Hook } from './hook.ts';
import type { GitlabInstance } from './instance.ts';
import { mergeRequestPayload, pushPayload } from './payloads.ts';
import { queryStatusChecks } from './status-checks.ts';
import { messageOf } from './webhook-message.ts';

/** Sends webhooks for a change of a repository: pushes first, then their effects on merge requests. */
export const sendChangeWebhooks = async (
  instance: GitlabInstance,
  { repository, moved, tips, pullsBefore }: RepositoryChange,
): Promise<void> => {
  const { git } = repository;
  const { statusChecks } = instance;
  if (hooksOf(instance, repository).length === 0 && statusChecks.length === 0) return;
  const known = reachable(git.commits, tips);
  for (const change of moved) {
    const kind = change.ref.startsWith('refs/tags/') ? 'tagPush' : 'push';
    const base = change.before === undefined ? known : reachable(git.commits, [change.before]);
    const payload = await pushPayload(instance, { repository, refChange: change, base });
    sendWebhook(instance, repository, kind, payload);
    if (change.after !== undefined) reachable(git.commits, [change.after], known);
  }
  const before = new Map(pullsBefore.map((pull) => [pull.number, pull]));
  for (const pull of git.pullRequests) {
    sendPullEvents(instance, repository, before.get(pull.number), pull);
    // The service may be unreachable.
    if (pullRequestActions(before.get(pull.number), pull).length > 0)
      void queryStatusChecks(instance, repository, pull).catch(() => undefined);
  }
};

const sendPullEvents = (
  instance: GitlabInstance,
  repository: HostedRepository,
  before: PullRequest | undefined,
  pull: PullRequest,
): void => {
  for (const { action } of pullRequestActions(before, pull)) {
    const by = action === 'closed' ? (pull.mergedBy ?? pull.author) : pull.author;
    const named = action === 'closed' ? (pull.mergedAt === null ? 'close' : 'merge') : (actions[action] ?? 'update');
    sendWebhook(
      instance,
      repository,
      'mergeRequests',
      mergeRequestPayload(instance, repository, { action: named, pull, by }),
    );
  }
  for (const { reviewer } of newReviews(before, pull)) {
    sendWebhook(
      instance,
      repository,
      'mergeRequests',
      mergeRequestPayload(instance, repository, { action: 'approved', pull, by: reviewer }),
    );
  }
};

const actions: Readonly<Record<string, string>> = { opened: 'open', reopened: 'reopen', synchronize: 'update' };

const events = { push: 'Push Hook', tagPush: 'Tag Push Hook', mergeRequests: 'Merge Request Hook' } as const;

/** Sends an event to the subscribed webhooks of a project. */
export const sendWebhook = (
  instance: GitlabInstance,
  repository: HostedRepository,
  kind: keyof typeof events,
  payload: Record<string, unknown>,
): void => {
  for (const hook of hooksOf(instance, repository)) {
    if (hook.events[kind]) void instance.deliveries.send(messageOf(hook, events[kind], payload, instance.signs));
  }
};

const hooksOf = ({ kept }: GitlabInstance, { id }: HostedRepository): Hook[] =>
  kept.hooks.filter(({ projectId }) => projectId === id);
