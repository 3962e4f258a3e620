import { ahead, reachable } from '../git/graph.ts';
import type { Person, PullRequest, PullRequestReview } from '../git/pull-request.ts';
import type { RefChange } from '../git/refs.ts';
import type { RepositoryChange } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { type ActionStep, newReviews, pullRequestActions } from '../github/webhook-events.ts';
import type { Bitbucket } from './bitbucket.ts';
import { sendWebhook } from './hooks.ts';
import { branchJson } from './repositories.ts';
import { personJson } from './responses/account.ts';
import { commitJson } from './responses/commit.ts';
import { fullPullRequestJson, reviewJson } from './responses/pull-request.ts';
import { fullSlug, repositoryJson } from './responses/repository.ts';

/** Sends webhooks for a change of a repository: one push with all refs, then its effects on pull requests. */
export const sendChangeWebhooks = async (bitbucket: Bitbucket, change: RepositoryChange): Promise<void> => {
  const { repository, moved, tips, pullsBefore } = change;
  const { git } = repository;
  const last = moved.map(({ after }) => git.commits.get(after ?? '')).find((commit) => commit !== undefined);
  const known = reachable(git.commits, tips);
  const [first] = moved;
  const pushed = git.planted.pushes.findLast(({ ref, after }) => ref === first?.ref && after === (first.after ?? null));
  const pusher = pushed?.by ?? last?.committer ?? null;
  sendWebhook(bitbucket, repository, 'repo:push', pushEvent(bitbucket, { repository, moved, known, by: pusher }));

  const before = new Map(pullsBefore.map((pull) => [pull.number, pull]));
  for (const pull of git.pullRequests) {
    for (const { action } of pullRequestActions(before.get(pull.number), pull)) {
      const by = action === 'closed' ? (pull.mergedBy ?? pull.author) : pull.author;
      sendWebhook(bitbucket, repository, eventOf(action, pull), pullRequestEvent(bitbucket, { repository, pull, by }));
    }
    for (const review of newReviews(before.get(pull.number), pull)) {
      const payload = pullRequestEvent(bitbucket, { repository, pull, by: review.reviewer, review });
      sendWebhook(bitbucket, repository, 'pullrequest:approved', payload);
    }
  }
};

/** A push of refs. `known`: SHAs reachable before the push, to which it adds the new ones. */
export const pushEvent = (
  bitbucket: Bitbucket,
  {
    repository,
    moved,
    known,
    by,
  }: { repository: HostedRepository; moved: readonly RefChange[]; known: Set<string>; by: Person | null },
) => ({
  push: { changes: moved.map((ref) => changeJson(bitbucket, repository, ref, known)) },
  ...aboutJson(bitbucket, repository, by ?? unknownPerson),
});

/** An event of a pull request; `review`: the submitted review. */
export const pullRequestEvent = (
  bitbucket: Bitbucket,
  {
    repository,
    pull,
    by,
    review,
  }: { repository: HostedRepository; pull: PullRequest; by: Person; review?: PullRequestReview | undefined },
) => ({
  pullrequest: fullPullRequestJson(bitbucket, repository, pull),
  ...(review && reviewJson(bitbucket, repository, pull, review)),
  ...aboutJson(bitbucket, repository, by),
});

const aboutJson = (bitbucket: Bitbucket, repository: HostedRepository, by: Person) => ({
  actor: personJson(bitbucket, by),
  repository: repositoryJson(bitbucket, repository),
});

/** Sends the webhook for a renamed repository. */
export const sendRenamedWebhook = (
  bitbucket: Bitbucket,
  repository: HostedRepository,
  from: string,
  by: Person,
): void => {
  const { owner, name } = repository;
  const slug = fullSlug({ ...repository, owner, name: from });
  sendWebhook(bitbucket, repository, 'repo:updated', {
    actor: personJson(bitbucket, by),
    repository: repositoryJson(bitbucket, repository),
    changes: {
      name: { old: from, new: name },
      full_name: { old: slug, new: fullSlug(repository) },
    },
  });
};

const unknownPerson: Person = { name: '', email: '' };
const mostCommits = 5; // limit of Bitbucket

const eventOf = (action: ActionStep['action'], { mergedAt }: PullRequest): string => {
  if (action === 'opened') return 'pullrequest:created';
  if (action !== 'closed') return 'pullrequest:updated';
  return mergedAt === null ? 'pullrequest:rejected' : 'pullrequest:fulfilled';
};

const changeJson = (bitbucket: Bitbucket, repository: HostedRepository, change: RefChange, known: Set<string>) => {
  const { git } = repository;
  const { before, after } = change;
  const base = before === undefined ? known : reachable(git.commits, [before]);
  const commits = after === undefined ? [] : ahead(git.commits, after, base);
  if (after !== undefined) reachable(git.commits, [after], known);
  const shown = commits.slice(0, mostCommits);
  const api = `${bitbucket.api}/repositories/${fullSlug(repository)}`;
  const query = new URLSearchParams({ ...(after && { include: after }), ...(before && { exclude: before }) });
  return {
    old: before === undefined ? null : refJson(bitbucket, repository, change.ref, before),
    new: after === undefined ? null : refJson(bitbucket, repository, change.ref, after),
    created: before === undefined,
    closed: after === undefined,
    truncated: commits.length > mostCommits,
    forced: before !== undefined && after !== undefined && !reachable(git.commits, [after]).has(before),
    ...(shown.length === 0 ? {} : { commits: shown.map((commit) => commitJson(bitbucket, repository, commit)) }),
    links: { commits: { href: `${api}/commits?${query}` } },
  };
};

const refJson = (bitbucket: Bitbucket, repository: HostedRepository, ref: string, sha: string) => {
  const [, folder = '', name = ''] = /^refs\/(heads|tags)\/(.*)$/.exec(ref) ?? [];
  return branchJson(bitbucket, { repository, name, sha, type: folder === 'tags' ? 'tag' : 'branch' });
};
