import type { FastifyInstance } from 'fastify';
import { readDifference } from '../git/changes.ts';
import { commitsTouching } from '../git/files.ts';
import { ahead, mergeBase, reachable } from '../git/graph.ts';
import type { Commit } from '../git/log.ts';
import type { Repository } from '../git/model.ts';
import { pushesOf } from '../git/planted.ts';
import { historyOf, resolveCommit } from '../git/repository.ts';
import { stableId } from '../git/users.ts';
import { findAdministered, findRepository } from './access.ts';
import { emptyTree, readDiff } from './diff.ts';
import type { DataCenter } from './instance.ts';
import { paginate } from './paging.ts';
import { notFound } from './refusal.ts';
import { changeJson, commitJson, personJson, pullJson, refChangeJson, repositoryJson } from './responses.ts';

type ByName = {
  Params: { sha: string };
  Querystring: { since?: string; contextLines?: string; otherCommitId?: string };
};
type CommitList = { Querystring: { since?: string; until?: string; path?: string } };
type RefChanges = { Querystring: { ref?: string } };

const prefix = '/api/latest/projects/:key/repos/:slug';

/** Lists of commits, single commits with their changes, and updates of refs. */
export const commitRoutes = (server: FastifyInstance, dataCenter: DataCenter): void => {
  server.get<CommitList>(`${prefix}/commits`, async (request) => {
    const { git } = findRepository(dataCenter, request);
    const { since, until, path } = request.query;
    const tip = named(git, until ?? git.defaultBranch);
    const found =
      since === undefined
        ? historyOf(git, tip.sha)
        : ahead(git.commits, tip.sha, reachable(git.commits, [named(git, since).sha]));
    const touching = path ? new Set(await commitsTouching(git.path, tip.sha, path)) : undefined;
    const commits = found.filter(({ sha }) => touching?.has(sha) ?? true);
    return paginate(
      dataCenter,
      request,
      commits.map((commit) => commitJson(dataCenter, commit)),
    );
  });
  server.get<ByName>(`${prefix}/commits/:sha`, async (request) =>
    commitJson(dataCenter, named(findRepository(dataCenter, request).git, request.params.sha)),
  );
  server.get<ByName>(`${prefix}/commits/:sha/changes`, async (request) => {
    const { git } = findRepository(dataCenter, request);
    const { from, to } = endsOf(git, request.params.sha, request.query.since);
    const files = await readDifference(git.path, from, to);
    return {
      fromHash: from,
      toHash: to,
      properties: {},
      ...paginate(dataCenter, request, files.map(changeJson), { most: 1000 }),
    };
  });
  server.get<ByName>(`${prefix}/commits/:sha/diff`, async (request) => {
    const { git } = findRepository(dataCenter, request);
    const { from, to } = endsOf(git, request.params.sha, request.query.since);
    return readDiff(git.path, from, to, Number(request.query.contextLines ?? 10));
  });
  server.get<ByName>(`${prefix}/commits/:sha/merge-base`, async (request, reply) => {
    const { git } = findRepository(dataCenter, request);
    const [one, other] = [named(git, request.params.sha), named(git, request.query.otherCommitId ?? '')];
    const base = mergeBase(git.commits, one.sha, other.sha);
    return base === undefined ? reply.code(204).send() : commitJson(dataCenter, base);
  });
  server.get<ByName>(`${prefix}/commits/:sha/pull-requests`, async (request) => {
    const repository = findRepository(dataCenter, request);
    const { sha } = named(repository.git, request.params.sha);
    const found = repository.git.pullRequests.filter(({ commits }) => commits.includes(sha));
    return paginate(
      dataCenter,
      request,
      found.map((pull) => pullJson(dataCenter, repository, pull)),
    );
  });
  server.get<RefChanges>(`${prefix}/ref-change-activities`, async (request) => {
    const repository = findAdministered(dataCenter, request);
    const { ref } = request.query;
    const found = pushesOf(repository.git)
      .filter((push) => ref === undefined || push.ref === ref)
      .toReversed();
    const shown = found.map((push) => ({
      id: stableId(`dc-ref-change:${repository.id}:${push.ref}:${push.at}:${push.after}`),
      createdDate: push.at,
      user: personJson(dataCenter, push.by),
      refChange: {
        ...refChangeJson(push),
        ...(push.before !== null &&
          push.after !== null && {
            updatedType: push.kind === 'force_push' ? 'FORCED' : 'NOT_FORCED',
          }),
      },
      repository: repositoryJson(dataCenter, repository),
      trigger: push.kind === 'pr_merge' || push.kind === 'merge_queue_merge' ? 'pull-request-merge' : 'push',
    }));
    return paginate(dataCenter, request, shown);
  });
};

export const named = (git: Repository, name: string): Commit => {
  const commit = resolveCommit(git, name.replace(/^refs\/heads\//, ''));
  if (commit === undefined) throw notFound(`Commit '${name}' does not exist in repository.`);
  return commit;
};

/** The commits to compare: the first parent by default. */
const endsOf = (git: Repository, sha: string, since: string | undefined): { from: string; to: string } => {
  const commit = named(git, sha);
  const from = since === undefined ? (commit.parents[0] ?? emptyTree) : named(git, since).sha;
  return { from, to: commit.sha };
};
