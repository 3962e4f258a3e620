import type { FastifyInstance, FastifyRequest } from 'fastify';
import { commitsTouching, findEntry, readBlob, readTree } from '../git/files.ts';
import { ahead, mergeBase, reachable } from '../git/graph.ts';
import type { Commit } from '../git/log.ts';
import type { Repository } from '../git/model.ts';
import { changesOf, differenceOf, historyOf, resolveCommit } from '../git/repository.ts';
import { findRepository } from './access.ts';
import type { AzureDevops } from './collection.ts';
import { listJson, skipped } from './paging.ts';
import { introducedBy, pushJson } from './pushes.ts';
import { notFound, refuse } from './refusal.ts';
import { changesJson, commitJson, listedCommitJson, wholeCommitJson } from './responses.ts';

type VersionQuery = Record<string, string | undefined>;
type CommitRoute = { Params: { sha: string } };

const path = '/:project/_apis/git/repositories/:repo';

/** Lists of commits, single commits with their changes, comparisons, trees and files. */
export const commitRoutes = (server: FastifyInstance, azureDevops: AzureDevops): void => {
  server.get(`${path}/commits`, async (request) => {
    const repository = findRepository(azureDevops, request);
    const commits = await selectCommits(repository.git, request.query as VersionQuery);
    return listJson(
      skipped(azureDevops, request, commits).map((commit) => listedCommitJson(azureDevops, repository, commit)),
    );
  });
  server.get<CommitRoute>(`${path}/commits/:sha`, async (request) => {
    const repository = findRepository(azureDevops, request as FastifyRequest);
    const commit = named(repository.git, request.params.sha);
    const push = introducedBy(repository.git, commit.sha);
    return {
      ...commitJson(azureDevops, repository, commit),
      ...wholeCommitJson(commit),
      ...(push && { push: pushJson(azureDevops, repository, push) }),
    };
  });
  server.get<CommitRoute>(`${path}/commits/:sha/changes`, async (request) => {
    const { git } = findRepository(azureDevops, request as FastifyRequest);
    const changes = changesJson(await changesOf(git, named(git, request.params.sha).sha));
    return { changeCounts: {}, changes: skipped(azureDevops, request as FastifyRequest, changes) };
  });
  server.get(`${path}/diffs/commits`, async (request) => {
    const { git } = findRepository(azureDevops, request);
    const query = request.query as VersionQuery;
    const [base, target] = [named(git, query.baseVersion ?? ''), named(git, query.targetVersion ?? '')];
    const common = mergeBase(git.commits, base.sha, target.sha);
    const from = query.diffCommonCommit === 'true' ? common : base;
    const files = from === undefined ? [] : await differenceOf(git, from.sha, target.sha);
    const changes = changesJson(files);
    return {
      allChangesIncluded: true,
      changeCounts: {},
      changes: skipped(azureDevops, request, changes),
      commonCommit: common?.sha,
      baseCommit: base.sha,
      targetCommit: target.sha,
      aheadCount: ahead(git.commits, target.sha, reachable(git.commits, [base.sha])).length,
      behindCount: ahead(git.commits, base.sha, reachable(git.commits, [target.sha])).length,
    };
  });
  server.get(`${path}/items`, async (request) => {
    const { git } = findRepository(azureDevops, request);
    const query = request.query as VersionQuery;
    const { sha } = named(git, query['versionDescriptor.version'] ?? git.defaultBranch);
    const wanted = (query.path ?? '').replace(/^\//, '');
    const entry = await findEntry(git.path, sha, wanted);
    if (entry === undefined) throw notFound(`The item '/${wanted}'`);
    const isFolder = entry.type === 'tree';
    return {
      objectId: entry.sha,
      gitObjectType: entry.type,
      commitId: sha,
      path: `/${wanted}`,
      ...(isFolder && { isFolder }),
    };
  });
  server.get<CommitRoute>(`${path}/trees/:sha`, async (request) => {
    const { git } = findRepository(azureDevops, request as FastifyRequest);
    const entries = await readTree(
      git.path,
      request.params.sha,
      (request.query as VersionQuery).recursive === 'true',
    ).catch(() => {
      throw notFound('The tree');
    });
    const treeEntries = entries.map(({ path: relativePath, sha, mode, type, size }) => ({
      objectId: sha,
      relativePath,
      mode,
      gitObjectType: type,
      size: size ?? 0,
    }));
    return { objectId: request.params.sha, size: 0, treeEntries };
  });
  server.get<CommitRoute>(`${path}/blobs/:sha`, async (request, reply) => {
    const { git } = findRepository(azureDevops, request as FastifyRequest);
    const { sha } = request.params;
    const blob = /^[0-9a-f]{40,64}$/.test(sha) ? await readBlob(git.path, sha).catch(() => undefined) : undefined;
    if (blob === undefined) throw notFound('The blob');
    return reply.type('application/octet-stream').send(blob);
  });
};

/** Those of a branch or commit, those of `compareVersion` that `itemVersion` lacks, or those that changed a path. */
async function selectCommits(git: Repository, query: VersionQuery): Promise<Commit[]> {
  const item = query['searchCriteria.itemVersion.version'];
  const compared = query['searchCriteria.compareVersion.version'];
  const tip = named(git, item ?? git.defaultBranch);
  if (compared !== undefined) return ahead(git.commits, named(git, compared).sha, reachable(git.commits, [tip.sha]));
  const changed = query['searchCriteria.itemPath']?.replace(/^\//, '');
  const touching = changed ? new Set(await commitsTouching(git.path, tip.sha, changed)) : undefined;
  return historyOf(git, tip.sha).filter((commit) => touching?.has(commit.sha) ?? true);
}

export const named = (git: Repository, name: string): Commit => {
  const commit = resolveCommit(git, name);
  if (commit === undefined)
    throw refuse(
      404,
      'GitUnresolvableToCommitException',
      `TF401175: The version descriptor <${name}> could not be resolved to a version in the repository`,
    );
  return commit;
};
