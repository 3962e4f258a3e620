import { ahead } from '../git/graph.ts';
import type { Commit, Signature } from '../git/log.ts';
import type { Push } from '../git/model.ts';
import { pushesOf } from '../git/planted.ts';
import type { Person, PullRequest, PullRequestReview } from '../git/pull-request.ts';
import type { RefChange } from '../git/refs.ts';
import { changesOf, unlessMissing } from '../git/repository.ts';
import { userOf } from '../git/users.ts';
import { fullName, type Host, type Installation } from './host.ts';
import type { HostedRepository } from './hosted-repository.ts';
import { pusherOf } from './pushes.ts';
import { accountJson, nodeId, organizationJson, personJson } from './responses/account.ts';
import { fullPullRequestJson, maybePullRequestFiles, pullRequestJson, reviewJson } from './responses/pull-request.ts';
import { pushedRepositoryJson, repositoryJson } from './responses/repository.ts';

type GithubPayload = Record<string, unknown>;

/** The trailing fields of every webhook about a repository. */
export const contextOf = (
  host: Host,
  repository: HostedRepository,
  installation: Installation,
  by: Person,
): GithubPayload => ({
  repository: repositoryJson(host, repository),
  ...(repository.owner.type === 'Organization' ? { organization: organizationJson(host, repository.owner) } : {}),
  sender: personJson(host, by) ?? accountJson(host, repository.owner),
  installation: { id: installation.id, node_id: nodeId('IntegrationInstallation', installation.id) },
});

/**
 * SHAs from before a push: `base` reachable from the ref's old tip (for a new ref, from any ref), `known` from any ref.
 */
export type Before = { base: ReadonlySet<string>; known: ReadonlySet<string> };

/** A push of one ref; its commits are those above `base`, oldest first. */
export const pushPayload = async (
  host: Host,
  {
    repository,
    installation,
    refChange: { ref, before, after },
    before: { base, known },
    push,
  }: {
    repository: HostedRepository;
    installation: Installation;
    refChange: RefChange;
    before: Before;
    push?: Push | undefined;
  },
): Promise<GithubPayload> => {
  const { git } = repository;
  const head = git.commits.get(after ?? '');
  const pushed = after === undefined ? [] : ahead(git.commits, after, base).reverse();
  // A fast-forward contains a child of the old tip; otherwise the old tip was discarded.
  const isForward = pushed.some(({ parents }) => parents.includes(before ?? ''));
  const shown = ref.startsWith('refs/heads/') ? pushed.slice(-mostCommits) : [];
  const shapes = [];
  for (const commit of shown) shapes.push(await commitJson(host, repository, commit, !known.has(commit.sha)));
  const by = push?.by ?? pusherOf(repository, { before, after });
  const user = userOf(host.users, by);
  return {
    ref,
    before: before ?? zeros,
    after: after ?? zeros,
    ...contextOf(host, repository, installation, by),
    repository: {
      ...pushedRepositoryJson(host, repository),
      ...(push === undefined ? {} : { pushed_at: Math.floor(push.at / 1000) }),
    },
    pusher: { name: user?.login ?? by.name, email: by.email },
    created: before === undefined,
    deleted: after === undefined,
    forced: before !== undefined && after !== undefined && !isForward,
    base_ref: null,
    compare: compareUrl(host, repository, before, after),
    commits: shapes,
    head_commit: head === undefined ? null : (shapes.at(-1) ?? (await commitJson(host, repository, head, true))),
  };
};

/** `opened` shows the pull request as at its opening, regardless of its current state. */
export const pullRequestPayload = async (
  host: Host,
  {
    repository,
    installation,
    action,
    pull,
    extra = {},
  }: {
    repository: HostedRepository;
    installation: Installation;
    action: string;
    pull: PullRequest;
    extra?: GithubPayload | undefined;
  },
): Promise<GithubPayload> => ({
  action,
  number: pull.number,
  pull_request: await fullPullRequestJson(
    host,
    repository,
    action === 'opened' ? asOpen(pull) : pull,
    await maybePullRequestFiles(repository, pull),
  ),
  ...extra,
  ...contextOf(host, repository, installation, actorOf(repository, action, pull)),
});

const actorOf = ({ git }: HostedRepository, action: string, pull: PullRequest): Person => {
  if (action === 'closed') return pull.mergedBy ?? pull.author;
  if (action !== 'synchronize') return pull.author;
  const isOfHead = ({ ref, after }: Push) => ref === `refs/heads/${pull.headRef}` && after === pull.headSha;
  return pushesOf(git).findLast(isOfHead)?.by ?? pull.author;
};

export const reviewPayload = (
  host: Host,
  {
    repository,
    installation,
    pull,
    review,
    action = 'submitted',
  }: {
    repository: HostedRepository;
    installation: Installation;
    pull: PullRequest;
    review: PullRequestReview;
    action?: 'submitted' | 'dismissed' | undefined;
  },
): GithubPayload => {
  const shown = action === 'submitted' ? { ...review, dismissed: null } : review;
  const json = reviewJson(host, repository, pull, shown);
  return {
    action,
    // Webhooks write the state in lower case, REST in upper case.
    review: { ...json, state: json.state.toLowerCase(), body: null },
    pull_request: pullRequestJson(host, repository, pull),
    ...contextOf(host, repository, installation, shown.dismissed?.by ?? review.reviewer),
  };
};

/** A pull request as before it was closed. */
export const asOpen = (pull: PullRequest): PullRequest =>
  pull.state === 'open'
    ? pull
    : {
        ...pull,
        state: 'open',
        updatedAt: pull.createdAt,
        closedAt: null,
        mergedAt: null,
        mergedBy: null,
        mergeSha: null,
      };

const zeros = '0'.repeat(40);
const mostCommits = 2048; // GitHub's limit per push; the newest are kept

const commitJson = async (host: Host, repository: HostedRepository, commit: Commit, distinct: boolean) => {
  const files = (await unlessMissing(changesOf(repository.git, commit.sha))) ?? [];
  const paths = (...statuses: string[]): string[] =>
    files.filter(({ status }) => statuses.includes(status)).map(({ path }) => path);
  const moved = files.flatMap(({ status, previousPath }) => (status === 'renamed' ? (previousPath ?? []) : []));
  return {
    id: commit.sha,
    tree_id: commit.tree,
    distinct,
    message: commit.message,
    timestamp: commit.committer.date,
    url: `${host.url}/${fullName(repository)}/commit/${commit.sha}`,
    author: signatureJson(host, commit.author),
    committer: signatureJson(host, commit.committer),
    // A push has no renames: the old name is removed, the new one added.
    added: paths('added', 'copied', 'renamed'),
    removed: [...paths('removed'), ...moved],
    modified: paths('modified', 'changed'),
  };
};

const signatureJson = (host: Host, { name, email, date }: Signature) => {
  const login = userOf(host.users, { name, email })?.login;
  return { name, email, date, ...(login === undefined ? {} : { username: login }) };
};

const compareUrl = (host: Host, repository: HostedRepository, before?: string, after?: string): string => {
  const web = `${host.url}/${fullName(repository)}`;
  if (before === undefined) return `${web}/commit/${after?.slice(0, 12)}`;
  return `${web}/compare/${before.slice(0, 12)}...${(after ?? zeros).slice(0, 12)}`;
};
