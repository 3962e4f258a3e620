import type { FastifyInstance } from 'fastify';
import { pushesOf } from '../git/planted.ts';
import type { Person, PullRequest } from '../git/pull-request.ts';
import { stableId } from '../git/users.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { pullRequestFiles } from '../github/responses/pull-request.ts';
import { findRepository } from './access.ts';
import { commentActivities } from './comments.ts';
import { findPull } from './find-pull.ts';
import type { DataCenter } from './instance.ts';
import { paginate } from './paging.ts';
import { changeJson, commitJson, isFork, personJson, pullJson } from './responses.ts';

type PullList = { Querystring: { state?: string; order?: string } };

const prefix = '/api/latest/projects/:key/repos/:slug/pull-requests';

/** Pull requests, their commits, files and activities. */
export const pullRoutes = (server: FastifyInstance, dataCenter: DataCenter): void => {
  server.get<PullList>(prefix, async (request) => {
    const repository = findRepository(dataCenter, request);
    const { state = 'OPEN', order = 'NEWEST' } = request.query;
    const shown = repository.git.pullRequests
      .map((pull) => pullJson(dataCenter, repository, pull))
      .filter((pull) => state === 'ALL' || pull.state === state)
      .toSorted((one, other) => one.id - other.id);
    return paginate(dataCenter, request, order === 'OLDEST' ? shown : shown.toReversed());
  });
  server.get(`${prefix}/:number`, async (request) => {
    const { repository, pull } = findPull(dataCenter, request);
    return pullJson(dataCenter, repository, pull);
  });
  server.get(`${prefix}/:number/commits`, async (request) => {
    const { repository, pull } = findPull(dataCenter, request);
    const commits = pull.commits.flatMap((sha) => repository.git.commits.get(sha) ?? []).toReversed();
    return paginate(
      dataCenter,
      request,
      commits.map((commit) => commitJson(dataCenter, commit)),
    );
  });
  server.get(`${prefix}/:number/changes`, async (request) => {
    const { repository, pull } = findPull(dataCenter, request);
    const files = (await pullRequestFiles(repository, pull)).map(changeJson);
    return {
      fromHash: pull.baseSha,
      toHash: pull.headSha,
      properties: {},
      ...paginate(dataCenter, request, files, { most: 1000 }),
    };
  });
  server.get(`${prefix}/:number/activities`, async (request) => {
    const { repository, pull } = findPull(dataCenter, request);
    const shown = [
      ...activitiesOf(repository, pull).map(({ action, by, at, id, ...rest }) => ({
        id,
        createdDate: at,
        user: personJson(dataCenter, by),
        action,
        ...rest,
      })),
      ...commentActivities(dataCenter, repository, pull),
    ].toSorted((one, other) => other.createdDate - one.createdDate || other.id - one.id);
    return paginate(dataCenter, request, shown);
  });
};

/** The ID of the activity of a decision. */
export const reviewId = ({ id }: HostedRepository, number: number, key: string): number =>
  stableId(`dc-review:${id}:${number}:${key}`);

type PullActivity = { id: number; action: string; by: Person | null; at: number } & Record<string, unknown>;

const decisions = { approved: 'APPROVED', changes_requested: 'REVIEWED' } as const;

/** The events of a pull request. A withdrawn decision is an event of the reviewer. */
const activitiesOf = (repository: HostedRepository, pull: PullRequest): PullActivity[] => {
  const idOf = (action: string, at: number): number =>
    stableId(`dc-activity:${repository.id}:${pull.number}:${action}:${at}`);
  const activity = (action: string, by: Person | null, at: number, rest: object = {}): PullActivity => ({
    id: idOf(action, at),
    action,
    by,
    at,
    ...rest,
  });
  const { git } = repository;
  const updates = isFork(repository, pull)
    ? []
    : pushesOf(git).filter(
        ({ ref, at, before, after }) =>
          ref === `refs/heads/${pull.headRef}` &&
          before !== null &&
          after !== null &&
          at > pull.createdAt &&
          at <= (pull.closedAt ?? Number.POSITIVE_INFINITY),
      );
  return [
    activity('OPENED', pull.author, pull.createdAt),
    ...updates.map(({ before, after, by, at }) =>
      activity('RESCOPED', by, at, {
        fromHash: after,
        previousFromHash: before,
        previousToHash: pull.baseSha,
        toHash: pull.baseSha,
        added: { commits: [], total: 0 },
        removed: { commits: [], total: 0 },
      }),
    ),
    ...pull.reviews.flatMap(({ key, reviewer, at, verdict, dismissed }): PullActivity[] =>
      verdict === 'commented'
        ? []
        : [
            { id: reviewId(repository, pull.number, key), action: decisions[verdict], by: reviewer, at },
            ...(dismissed ? [activity('UNAPPROVED', reviewer, dismissed.at)] : []),
          ],
    ),
    ...[pull.autoMerge, pull.queued].flatMap((requested) =>
      requested === null ? [] : [activity('AUTO_MERGE_REQUESTED', requested.by, requested.at)],
    ),
    ...(pull.mergedAt === null
      ? pull.closedAt === null
        ? []
        : [activity('DECLINED', pull.author, pull.closedAt)]
      : [
          activity('MERGED', pull.mergedBy, pull.mergedAt, {
            ...(pull.mergeSha !== null && { commit: { id: pull.mergeSha, displayId: pull.mergeSha.slice(0, 11) } }),
          }),
        ]),
  ];
};
