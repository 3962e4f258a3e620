import type { FastifyInstance, FastifyRequest } from 'fastify';
import { change } from '../git/comments.ts';
import { pushesOf } from '../git/planted.ts';
import type { Person, PullRequest, PullRequestReview } from '../git/pull-request.ts';
import { stableId } from '../git/users.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { callerOf } from './access.ts';
import type { AzureDevops } from './collection.ts';
import { listJson } from './paging.ts';
import { findPull } from './pulls.ts';
import { notFound } from './refusal.ts';
import { identityJson, personJson, timeText } from './responses.ts';
import { votes } from './votes.ts';

type ThreadBody = { comments?: { content?: string }[] };
type ThreadCommentRoute = { Params: { thread: string }; Body: { content?: string } | undefined };

const path = '/:project/_apis/git/repositories/:repo/pullRequests/:number/threads';

/** Threads of pull requests: comments, and what happened, in threads of the system. */
export const threadRoutes = (server: FastifyInstance, azureDevops: AzureDevops): void => {
  server.get(path, async (request) => {
    const { repository, pull } = findPull(azureDevops, request);
    const comments = azureDevops.comments.of(repository.id, pull.number).filter(({ isDeleted }) => !isDeleted);
    return listJson([
      ...eventsOf(repository, pull).map((event) => eventJson(azureDevops, event)),
      ...comments.map(({ id, by, body, at, changedAt }) =>
        threadJson(azureDevops, {
          id,
          by,
          at,
          changedAt,
          content: body,
          isSystem: false,
          properties: {},
          identities: [],
        }),
      ),
    ]);
  });
  server.post<{ Body: ThreadBody | undefined }>(path, async (request, reply) => {
    const { repository, pull } = findPull(azureDevops, request as FastifyRequest, 'code_write');
    const { user } = callerOf(azureDevops, request as FastifyRequest, 'code_write');
    const by = { name: user.name, email: user.emails[0] ?? '' };
    const body = request.body?.comments?.[0]?.content ?? '';
    const { id } = azureDevops.comments.add({ repositoryId: repository.id, number: pull.number, body, by });
    return reply.code(200).send({
      id,
      status: 'closed',
      comments: [{ id: 1, author: identityJson(azureDevops, user), content: body, commentType: 'text' }],
    });
  });
  server.patch<ThreadCommentRoute>(`${path}/:thread/comments/:comment`, async (request) => {
    const { repository } = findPull(azureDevops, request as FastifyRequest, 'code_write');
    const comment = azureDevops.comments.find(repository.id, request.params.thread);
    if (comment === undefined) throw notFound('The comment');
    return { id: 1, content: change(comment, request.body?.content ?? '').body };
  });
};

type Properties = Record<string, string | number>;
type ThreadEvent = { key: string; type: string; at: number; content: string; properties: Properties; people: Person[] };

/** The ID of the vote of a review. */
export const voteId = ({ id }: HostedRepository, number: number, key: string): number =>
  stableId(`azure-devops-vote:${id}:${number}:${key}`);

/** Votes, resets of votes by others, pushes, the automatic completion, and the end. The first person did it. */
const eventsOf = (repository: HostedRepository, pull: PullRequest): ThreadEvent[] => {
  const auto = pull.autoMerge ?? pull.queued;
  const pushes = pushesOf(repository.git).filter(
    ({ ref, after, at }) => ref === `refs/heads/${pull.headRef}` && after !== null && at > pull.createdAt,
  );
  return [
    ...pull.reviews.filter(({ verdict }) => verdict !== 'commented').map(voteEvent),
    ...pull.reviews.flatMap(resetEvents),
    ...pushes.map(({ after, at, by }) => ({
      key: `push:${after}`,
      type: 'RefUpdate',
      at,
      content: `The reference refs/heads/${pull.headRef} was updated.`,
      properties: {
        CodeReviewRefName: `refs/heads/${pull.headRef}`,
        CodeReviewRefNewCommitsCount: 1,
        CodeReviewRefNewHeadCommit: after ?? '',
        CodeReviewRefUpdatedByIdentity: '1',
      },
      people: by === null ? [] : [by],
    })),
    ...(auto === null
      ? []
      : [
          {
            key: 'auto',
            type: 'AutoCompleteUpdate',
            at: auto.at,
            content: `${auto.by.name} set auto-complete`,
            properties: { CodeReviewAutoCompleteNowSet: 'True', CodeReviewAutoCompleteUpdatedByIdentity: '1' },
            people: [auto.by],
          },
        ]),
    ...(pull.mergedAt === null || pull.mergedBy === null
      ? []
      : [
          {
            key: 'completed',
            type: 'StatusUpdate',
            at: pull.mergedAt,
            content: `${pull.mergedBy.name} updated the pull request status to Completed`,
            properties: {
              CodeReviewStatus: 'Completed',
              CodeReviewStatusUpdatedByIdentity: '1',
              BypassPolicy: 'False',
            },
            people: [pull.mergedBy],
          },
        ]),
  ].map((event) => ({ ...event, key: `${repository.id}:${pull.number}:${event.key}` }));
};

const voteEvent = ({ key, reviewer, verdict, at }: PullRequestReview): ThreadEvent => ({
  key: `vote:${key}`,
  type: 'VoteUpdate',
  at,
  content: `${reviewer.name} voted ${votes[verdict]}`,
  properties: { CodeReviewVoteResult: String(votes[verdict]), CodeReviewVotedByIdentity: '1' },
  people: [reviewer],
});

const resetEvents = ({ key, reviewer, dismissed }: PullRequestReview): ThreadEvent[] =>
  dismissed === null
    ? []
    : [
        {
          key: `reset:${key}`,
          type: 'ResetMultipleVotes',
          at: dismissed.at,
          content: `${dismissed.by.name} reset the vote of ${reviewer.name}`,
          properties: {
            CodeReviewResetMultipleVotesInitiatorIdentity: '1',
            CodeReviewResetMultipleVotesNumVoters: 1,
            CodeReviewResetMultipleVotesExampleVoterIdentities: '2',
          },
          people: [dismissed.by, reviewer],
        },
      ];

const eventJson = (azureDevops: AzureDevops, { key, type, at, content, properties, people }: ThreadEvent) => {
  const [repositoryId = '', number = '', kind, ...rest] = key.split(':');
  const isVote = kind === 'vote';
  const id = isVote
    ? voteId({ id: Number(repositoryId) } as HostedRepository, Number(number), rest.join(':'))
    : stableId(`azure-devops-thread:${key}`);
  const [by] = people;
  return threadJson(azureDevops, {
    id,
    by: by ?? null,
    at,
    changedAt: at,
    content,
    isSystem: true,
    properties: { CodeReviewThreadType: type, ...properties },
    identities: people,
  });
};

type Thread = {
  id: number;
  by: Person | null;
  at: number;
  changedAt: number;
  content: string;
  isSystem: boolean;
  properties: Properties;
  identities: Person[];
};

const threadJson = (
  azureDevops: AzureDevops,
  { id, by, at, changedAt, content, isSystem, properties, identities }: Thread,
) => ({
  pullRequestThreadContext: null,
  id,
  publishedDate: timeText(at),
  lastUpdatedDate: timeText(changedAt),
  comments: [
    {
      id: 1,
      parentCommentId: 0,
      author: by === null ? null : personJson(azureDevops, by),
      content,
      publishedDate: timeText(at),
      lastUpdatedDate: timeText(changedAt),
      commentType: isSystem ? 'system' : 'text',
      usersLiked: [],
    },
  ],
  ...(!isSystem && { status: 'closed' }),
  threadContext: null,
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [
      name,
      { $type: typeof value === 'number' ? 'System.Int32' : 'System.String', $value: value },
    ]),
  ),
  identities: Object.fromEntries(
    identities.map((person, index) => [String(index + 1), personJson(azureDevops, person)]),
  ),
  isDeleted: false,
});
