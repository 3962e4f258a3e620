import { reachable } from '../git/graph.ts';
import type { PullRequest } from '../git/pull-request.ts';
import type { RefChange } from '../git/refs.ts';
import { refreshRepository } from '../git/repository.ts';
import type { User } from '../git/users.ts';
import { fullName, type Host, readPeople } from './host.ts';
import type { HostedRepository } from './hosted-repository.ts';
import { listenerOf } from './installations.ts';
import { contextOf, pullRequestPayload, pushPayload, reviewPayload } from './payloads.ts';
import { permissionOf } from './permissions.ts';
import { recordPush } from './pushes.ts';

/** Sends one webhook about a repository to its installation, if any. */
export type SendWebhook = (event: string, payload: Record<string, unknown>) => void;

/**
 * Reads the changes of a repository and sends webhooks: pushes first, then their effects on pull requests. `first` runs
 * before, without concurrent reads.
 */
export const followRepository = (
  host: Host,
  repository: HostedRepository,
  first?: () => Promise<void>,
): Promise<void> => {
  // Serialized, since concurrent reads would report the same commits twice.
  const next = (lastRuns.get(repository) ?? Promise.resolve())
    .catch(() => undefined)
    .then(first)
    .then(() => readChanges(host, repository));
  lastRuns.set(repository, next);
  return next;
};

/** Renames a repository; the old name redirects. */
export const renameRepository = (host: Host, repository: HostedRepository, name: string, by: User): void => {
  const from = repository.name;
  repository.formerNames.push(fullName(repository));
  repository.name = name;
  const installation = listenerOf(host, repository);
  if (installation === undefined) return;
  const changes = { repository: { name: { from } } };
  const sender = { name: by.name, email: by.emails[0] ?? '' };
  const context = contextOf(host, repository, installation, sender);
  webhookSenderFor(host, repository, installation.id)('repository', { action: 'renamed', changes, ...context });
};

export const webhookSenderFor =
  (host: Host, repository: HostedRepository, installationId: number): SendWebhook =>
  (event, payload) => {
    const permission = permissionOf[event];
    const { permissions } = host.installations.get(installationId) ?? { permissions: {} };
    if (!host.app.events.includes(event)) return;
    if (permission !== undefined && !(permission in permissions)) return;
    void host.webhooks.send({ event, installationId, repositoryId: repository.id, payload });
  };

const lastRuns = new WeakMap<HostedRepository, Promise<void>>();

const readChanges = async (host: Host, repository: HostedRepository): Promise<void> => {
  const { git } = repository;
  const [tips, pullsBefore] = [[...git.refs.values()], git.pullRequests];
  const found = await refreshRepository(git);
  if (found.length === 0) return;
  readPeople(host, git);
  const isDefault = ({ ref }: RefChange): number => Number(ref === `refs/heads/${git.defaultBranch}`);
  const moved = found.sort((one, other) => isDefault(one) - isDefault(other));
  const pushes = new Map(moved.map((change) => [change, recordPush(host, repository, change)]));
  for (const follow of host.followers) await follow({ repository, moved, tips, pullsBefore });
  const installation = listenerOf(host, repository);
  if (installation === undefined) return;
  const sendWebhook = webhookSenderFor(host, repository, installation.id);
  const known = reachable(git.commits, tips);
  for (const change of moved) {
    const base = change.before === undefined ? new Set(known) : reachable(git.commits, [change.before]);
    sendWebhook(
      'push',
      await pushPayload(host, {
        repository,
        installation,
        refChange: change,
        before: { base, known },
        push: pushes.get(change),
      }),
    );
    if (change.after !== undefined) reachable(git.commits, [change.after], known);
  }
  const before = new Map(pullsBefore.map((pull) => [pull.number, pull]));
  for (const pull of git.pullRequests) {
    for (const { action, extra } of pullRequestActions(before.get(pull.number), pull)) {
      sendWebhook('pull_request', await pullRequestPayload(host, { repository, installation, action, pull, extra }));
    }
    for (const review of newReviews(before.get(pull.number), pull)) {
      sendWebhook('pull_request_review', reviewPayload(host, { repository, installation, pull, review }));
    }
  }
};

export type ActionStep = { action: string; extra?: Record<string, unknown> };

/** The changes of a pull request, as named by GitHub: opened, reopened, synchronize, closed. */
export const pullRequestActions = (before: PullRequest | undefined, now: PullRequest): ActionStep[] => {
  const opened: ActionStep[] = before === undefined ? [{ action: 'opened' }] : [];
  const isOpen = now.state === 'open';
  if (before?.state === 'closed' && isOpen) return [{ action: 'reopened' }];
  if (before !== undefined && before.headSha !== now.headSha && isOpen) {
    return [{ action: 'synchronize', extra: { before: before.headSha, after: now.headSha } }];
  }
  return before?.state !== 'closed' && !isOpen ? [...opened, { action: 'closed' }] : opened;
};

/** Reviews that are new. */
export const newReviews = (before: PullRequest | undefined, now: PullRequest) => {
  const known = new Set(before?.reviews.map(({ key }) => key));
  return now.reviews.filter(({ key }) => !known.has(key));
};
