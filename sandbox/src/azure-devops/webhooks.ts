import { ahead, reachable } from '../git/graph.ts';
import type { Person, PullRequest } from '../git/pull-request.ts';
import type { RefChange } from '../git/refs.ts';
import type { RepositoryChange } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { asOpen } from '../github/payloads.ts';
import { newReviews, pullRequestActions } from '../github/webhook-events.ts';
import { type AzureDevops, repositoryIdOf } from './collection.ts';
import { pullJson } from './pulls.ts';
import { commitJson, personJson, repositoryJson, timeText, zeros } from './responses.ts';
import { messageOf } from './webhook-message.ts';

// Of a longer push, the newest commits only.
const mostCommits = 25;

/** Sends events for a change of a repository: pushes first, then their effects on pull requests. */
export const sendChangeWebhooks = async (
  azureDevops: AzureDevops,
  { repository, moved, tips, pullsBefore }: RepositoryChange,
): Promise<void> => {
  const { git } = repository;
  if (!azureDevops.kept.hooks.some(({ repositoryId }) => repositoryId === repositoryIdOf(repository))) return;
  const known = reachable(git.commits, tips);
  for (const change of moved) {
    const base = change.before === undefined ? known : reachable(git.commits, [change.before]);
    sendPush(azureDevops, { repository, change, base, at: Date.now() });
    if (change.after !== undefined) reachable(git.commits, [change.after], known);
  }
  const before = new Map(pullsBefore.map((pull) => [pull.number, pull]));
  for (const pull of git.pullRequests) {
    for (const { action } of pullRequestActions(before.get(pull.number), pull))
      sendPull(azureDevops, repository, action, pull);
    for (const _ of newReviews(before.get(pull.number), pull)) sendPull(azureDevops, repository, 'vote', pull);
  }
};

export const sendPush = (
  azureDevops: AzureDevops,
  {
    repository,
    change: { ref, before, after },
    base,
    pusher,
    at,
  }: {
    repository: HostedRepository;
    change: RefChange;
    base: ReadonlySet<string>;
    pusher?: Person | undefined;
    at: number;
  },
): void => {
  const { git } = repository;
  const by = pusher ?? git.commits.get(after ?? before ?? '')?.committer ?? { name: '', email: '' };
  const commits = after === undefined ? [] : ahead(git.commits, after, base);
  send(azureDevops, repository, 'git.push', {
    commits: commits.slice(0, mostCommits).map((commit) => commitJson(azureDevops, repository, commit)),
    refUpdates: [{ name: ref, oldObjectId: before ?? zeros, newObjectId: after ?? zeros }],
    repository: repositoryJson(azureDevops, repository),
    pushedBy: personJson(azureDevops, by),
    pushId: 1,
    date: timeText(at),
  });
};

/** `action`: as named by GitHub, or `vote`. A completion also is the creation of a merge commit. */
export const sendPull = (
  azureDevops: AzureDevops,
  repository: HostedRepository,
  action: string,
  pull: PullRequest,
): void => {
  const isOpened = action === 'opened';
  const resource = pullJson(azureDevops, repository, isOpened ? asOpen(pull) : pull);
  send(azureDevops, repository, isOpened ? 'git.pullrequest.created' : 'git.pullrequest.updated', resource);
  if (action === 'closed' && pull.mergedAt !== null) send(azureDevops, repository, 'git.pullrequest.merged', resource);
};

const send = (
  azureDevops: AzureDevops,
  repository: HostedRepository,
  eventType: string,
  resource: Record<string, unknown>,
): void => {
  for (const hook of azureDevops.kept.hooks) {
    if (hook.repositoryId === repositoryIdOf(repository) && hook.eventType === eventType)
      void azureDevops.deliveries.send(messageOf(hook, resource, azureDevops.deliveries.log.length + 1));
  }
};
