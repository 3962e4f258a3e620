import { ahead, reachable } from '../git/graph.ts';
import type { Person, PullRequest } from '../git/pull-request.ts';
import type { RefChange } from '../git/refs.ts';
import type { RepositoryChange } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { asOpen } from '../github/payloads.ts';
import { newReviews, pullRequestActions } from '../github/webhook-events.ts';
import { rejectionKey } from './hooks.ts';
import type { DataCenter } from './instance.ts';
import { commitJson, personJson, pullJson, refChangeJson, repositoryJson } from './responses.ts';
import { messageOf } from './webhook-message.ts';

type Payload = Record<string, unknown>;

/** Sends webhooks for a change of a repository: pushes first, then their effects on pull requests. */
export const sendChangeWebhooks = async (
  dataCenter: DataCenter,
  { repository, moved, tips, pullsBefore }: RepositoryChange,
): Promise<void> => {
  const { git } = repository;
  if (!dataCenter.kept.hooks.some(({ repositoryId }) => repositoryId === repository.id)) return;
  const known = reachable(git.commits, tips);
  for (const change of moved) {
    const base = change.before === undefined ? known : reachable(git.commits, [change.before]);
    sendPush(dataCenter, { repository, change, base });
    if (change.after !== undefined) reachable(git.commits, [change.after], known);
  }
  const before = new Map(pullsBefore.map((pull) => [pull.number, pull]));
  for (const pull of git.pullRequests) {
    for (const { action } of pullRequestActions(before.get(pull.number), pull)) {
      const event = eventOf(action, pull);
      const by = event === 'pr:merged' ? (pull.mergedBy ?? pull.author) : pull.author;
      if (event !== undefined) sendPull(dataCenter, repository, { event, pull, by });
    }
    for (const { verdict, reviewer } of newReviews(before.get(pull.number), pull))
      sendReview(dataCenter, repository, { pull, by: reviewer, verdict });
  }
};

const eventOf = (action: string, { mergedAt }: PullRequest): string | undefined => {
  if (action === 'opened') return 'pr:opened';
  if (action === 'synchronize') return 'pr:from_ref_updated';
  return action === 'closed' ? (mergedAt === null ? 'pr:declined' : 'pr:merged') : undefined;
};

/** Formats a time as the vendor does: whole seconds with an offset without a colon. */
const dateText = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}+0000`;

/** The default of the vendor. */
const mostCommits = 5;

/** An update of a branch or a tag, with its newest commits. `base`: the commits from before it. */
export const sendPush = (
  dataCenter: DataCenter,
  {
    repository,
    change: { ref, before, after },
    base,
    pusher,
    at = Date.now(),
  }: {
    repository: HostedRepository;
    change: RefChange;
    base: ReadonlySet<string>;
    pusher?: Person | undefined;
    at?: number;
  },
): void => {
  const { git } = repository;
  const by = pusher ?? git.commits.get(after ?? before ?? '')?.committer ?? { name: '', email: '' };
  const pushed = after === undefined ? [] : ahead(git.commits, after, base).slice(0, mostCommits);
  send(dataCenter, repository, 'repo:refs_changed', {
    date: dateText(at),
    actor: personJson(dataCenter, by),
    repository: repositoryJson(dataCenter, repository),
    changes: [refChangeJson({ ref, before: before ?? null, after: after ?? null })],
    commits: pushed.map((commit) => commitJson(dataCenter, commit)),
    ...(pushed[0] && { toCommit: commitJson(dataCenter, pushed[0]) }),
  });
};

export const sendPull = (
  dataCenter: DataCenter,
  repository: HostedRepository,
  { event, pull, by }: { event: string; pull: PullRequest; by: Person },
): void =>
  send(dataCenter, repository, event, {
    date: dateText(pull.updatedAt),
    actor: personJson(dataCenter, by),
    pullRequest: pullJson(dataCenter, repository, event === 'pr:opened' ? asOpen(pull) : pull),
    ...(event === 'pr:from_ref_updated' && { previousFromHash: pull.commits.at(-2) ?? pull.baseSha }),
  });

/** A comment is an event of its own, to which no webhook of the product subscribes. */
export const sendReview = (
  dataCenter: DataCenter,
  repository: HostedRepository,
  {
    pull,
    by,
    verdict,
  }: { pull: PullRequest; by: Person; verdict: 'approved' | 'changes_requested' | 'commented' | 'withdrawn' },
): void => {
  if (verdict === 'commented') return;
  const event =
    verdict === 'approved'
      ? 'pr:reviewer:approved'
      : verdict === 'withdrawn'
        ? 'pr:reviewer:unapproved'
        : rejectionKey(dataCenter);
  send(dataCenter, repository, event, {
    date: dateText(pull.updatedAt),
    actor: personJson(dataCenter, by),
    pullRequest: pullJson(dataCenter, repository, pull),
    participant: {
      user: personJson(dataCenter, by),
      role: 'REVIEWER',
      approved: verdict === 'approved',
      lastReviewedCommit: pull.headSha,
    },
    previousStatus: 'UNAPPROVED',
  });
};

const send = (dataCenter: DataCenter, { id }: HostedRepository, event: string, payload: Payload): void => {
  for (const hook of dataCenter.kept.hooks) {
    if (hook.repositoryId === id && hook.isActive && hook.events.includes(event))
      void dataCenter.deliveries.send(messageOf(hook, event, { eventKey: event, ...payload }));
  }
};
