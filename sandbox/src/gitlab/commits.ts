import type { FastifyInstance } from 'fastify';
import { readDifference } from '../git/changes.ts';
import { commitsTouching } from '../git/files.ts';
import { ahead, mergeBase, reachable } from '../git/graph.ts';
import type { Commit } from '../git/log.ts';
import type { Repository } from '../git/model.ts';
import { readDifferencePatches, readPatches } from '../git/patches.ts';
import { changesOf, historyOf, resolveCommit } from '../git/repository.ts';
import { findProject } from './access.ts';
import type { GitlabInstance } from './instance.ts';
import { paginate } from './paging.ts';
import { notFound } from './refusal.ts';
import { commitJson, diffJson, mergeRequestJson } from './responses.ts';

type CommitListRoute = { Querystring: { ref_name?: string; path?: string; since?: string; until?: string } };
type ByName = { Params: { sha: string } };

/** Lists of commits, single commits and their changes. */
export const commitRoutes = (server: FastifyInstance, instance: GitlabInstance): void => {
  server.get<CommitListRoute>('/projects/:id/repository/commits', async (request, reply) => {
    const repository = findProject(instance, request);
    const { ref_name: name, path, since, until } = request.query;
    const [from, to] = [instant(since, 0), instant(until, Number.POSITIVE_INFINITY)];
    const [tip, ...older] = selectCommits(repository.git, name);
    const touching = path && tip ? new Set(await commitsTouching(repository.git.path, tip.sha, path)) : undefined;
    const commits = (tip ? [tip, ...older] : []).filter(
      ({ sha, committer: { at } }) => at >= from && at <= to && (touching === undefined || touching.has(sha)),
    );
    return paginate(request, reply, commits, false).map((commit) => commitJson(instance, repository, commit));
  });
  server.get<ByName>('/projects/:id/repository/commits/:sha', async (request) => {
    const repository = findProject(instance, request);
    const commit = named(repository.git, request.params.sha);
    const files = await changesOf(repository.git, commit.sha);
    const [additions, deletions] = [sumOf(files, 'additions'), sumOf(files, 'deletions')];
    const stats = { additions, deletions, total: additions + deletions };
    return { ...commitJson(instance, repository, commit), stats, status: null, project_id: repository.id };
  });
  server.get<ByName>('/projects/:id/repository/commits/:sha/diff', async (request, reply) => {
    const { git } = findProject(instance, request);
    const commit = named(git, request.params.sha);
    const [files, patches] = [await changesOf(git, commit.sha), await readPatches(git.path, commit.sha)];
    const diffs = files.map((file, index) => diffJson(file, patches[index] ?? ''));
    return paginate(request, reply, diffs, false);
  });
  server.get<{ Querystring: { from: string; to: string; straight?: string } }>(
    '/projects/:id/repository/compare',
    async (request) => {
      const repository = findProject(instance, request);
      const { git } = repository;
      const [from, to] = [named(git, request.query.from), named(git, request.query.to)];
      const common = request.query.straight === 'true' ? from : (mergeBase(git.commits, from.sha, to.sha) ?? from);
      const [files, patches] = [
        await readDifference(git.path, common.sha, to.sha),
        await readDifferencePatches(git.path, common.sha, to.sha),
      ];
      const commits = ahead(git.commits, to.sha, reachable(git.commits, [from.sha])).reverse();
      return {
        commit: commitJson(instance, repository, to),
        commits: commits.map((commit) => commitJson(instance, repository, commit)),
        diffs: files.map((file, index) => diffJson(file, patches[index] ?? '')),
        compare_timeout: false,
        compare_same_ref: from.sha === to.sha,
      };
    },
  );
  server.get<ByName>('/projects/:id/repository/commits/:sha/merge_requests', async (request, reply) => {
    const repository = findProject(instance, request);
    const { sha } = named(repository.git, request.params.sha);
    const pulls = repository.git.pullRequests.filter(
      (pull) => pull.mergeSha === sha || pull.landed.includes(sha) || pull.commits.includes(sha),
    );
    return paginate(request, reply, pulls).map((pull) => mergeRequestJson(instance, repository, pull));
  });
};

const named = (git: Repository, name: string): Commit => {
  const commit = resolveCommit(git, name);
  if (commit === undefined) throw notFound('Commit');
  return commit;
};

/** The commits of a branch, a commit, or a range `from..to`; none for an unknown name. */
const selectCommits = (git: Repository, name = git.defaultBranch): Commit[] => {
  const [from, to] = name.includes('..') ? name.split('..') : [undefined, name];
  const tip = resolveCommit(git, to ?? '');
  if (tip === undefined) return [];
  if (from === undefined) return historyOf(git, tip.sha);
  const base = resolveCommit(git, from);
  return base === undefined ? [] : ahead(git.commits, tip.sha, reachable(git.commits, [base.sha]));
};

const sumOf = (files: { additions: number; deletions: number }[], field: 'additions' | 'deletions'): number =>
  files.reduce((sum, file) => sum + file[field], 0);

const instant = (text: string | undefined, otherwise: number): number => {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? otherwise : at;
};
