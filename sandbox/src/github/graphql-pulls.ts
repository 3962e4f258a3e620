import type { Person, PullRequest } from '../git/pull-request.ts';
import { fullName, type Host } from './host.ts';
import type { HostedRepository } from './hosted-repository.ts';
import { personJson, timeText } from './responses/account.ts';
import { countLines } from './responses/commit.ts';
import { maybePullRequestFiles, reviewId } from './responses/pull-request.ts';

/** A pull request with its reviews in GraphQL format; null for an unknown number. */
export const pullRequestObject = async (host: Host, repository: HostedRepository, number: number) => {
  const pull = repository.git.pullRequests.find((candidate) => candidate.number === number);
  if (pull === undefined) return null;
  const owner = repository.owner.login;
  const files = await maybePullRequestFiles(repository, pull);
  const closedBy = actorOf(host, pull.state === 'closed' ? (pull.mergedBy ?? pull.author) : null);
  return {
    number,
    title: pull.title,
    body: pull.body ?? '',
    state: stateOf(pull),
    isDraft: false,
    url: `${host.url}/${fullName(repository)}/pull/${number}`,
    isCrossRepository: (pull.headOwner ?? owner).toLowerCase() !== owner.toLowerCase(),
    createdAt: timeText(pull.createdAt),
    updatedAt: timeText(pull.updatedAt),
    mergedAt: pull.mergedAt === null ? null : timeText(pull.mergedAt),
    closedAt: pull.closedAt === null ? null : timeText(pull.closedAt),
    baseRefName: repository.git.defaultBranch,
    headRefName: pull.headRef,
    headRefOid: pull.headSha,
    mergeCommit: pull.mergeSha === null ? null : { oid: pull.mergeSha },
    commits: { totalCount: pull.commits.length },
    // Null if a partial clone lacks the files.
    ...(files ? countLines(files) : { additions: null, deletions: null }),
    changedFiles: files?.length ?? null,
    author: actorOf(host, pull.author),
    mergedBy: actorOf(host, pull.mergedBy),
    labels: pageOf(pull.labels.map((name) => ({ name }))),
    reviews: pageOf(
      pull.reviews.map((review) => ({
        fullDatabaseId: String(reviewId(repository, pull, review)),
        state: review.dismissed === null ? review.verdict.toUpperCase() : 'DISMISSED',
        submittedAt: timeText(review.at),
        commit: { oid: review.commit },
        author: actorOf(host, review.reviewer),
      })),
    ),
    timelineItems: { nodes: closedBy === null ? [] : [{ actor: closedBy }] },
  };
};

const stateOf = ({ mergedAt, state }: PullRequest) => (mergedAt !== null ? 'MERGED' : state.toUpperCase());

const pageSize = 100;
const pageOf = <Item>(items: Item[]) => ({
  nodes: items.slice(0, pageSize),
  pageInfo: { hasNextPage: items.length > pageSize },
});

/** An account. GraphQL names bots without the suffix that REST adds. */
const actorOf = (host: Host, person: Person | null) => {
  const json = personJson(host, person);
  if (json === null) return null;
  const { type, login, id, avatar_url } = json;
  return { __typename: type, login: login.replace(/\[bot\]$/, ''), databaseId: id, avatarUrl: avatar_url };
};
