import type { FastifyInstance } from 'fastify';
import { commitsTouching } from '../git/files.ts';
import { ahead, reachable } from '../git/graph.ts';
import type { Commit } from '../git/log.ts';
import type { Repository } from '../git/model.ts';
import { readDiffText } from '../git/patches.ts';
import { changesOf, historyOf, resolveCommit, unlessMissing } from '../git/repository.ts';
import { findRepository } from './access.ts';
import type { Gitea } from './instance.ts';
import { paginate } from './paging.ts';
import { notFound } from './refusal.ts';
import { commitJson, pullJson } from './responses.ts';

type ByName = { Params: { sha: string } };
type List = { Querystring: { sha?: string; path?: string } };

/** The tree without any file. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** Lists of commits, single commits with their difference, and comparisons. */
export const commitRoutes = (server: FastifyInstance, gitea: Gitea): void => {
  server.get<List>('/repos/:owner/:repo/commits', async (request, reply) => {
    const repository = findRepository(gitea, request);
    const { git } = repository;
    const { sha, path } = request.query;
    const tip = resolveCommit(git, sha ?? git.defaultBranch);
    if (tip === undefined) throw notFound();
    const touching = path ? new Set(await commitsTouching(git.path, tip.sha, path)) : undefined;
    const commits = historyOf(git, tip.sha).filter((commit) => touching?.has(commit.sha) ?? true);
    return paginate(gitea, request, reply, commits).map((commit) => commitJson(gitea, repository, commit));
  });
  server.get<ByName>('/repos/:owner/:repo/git/commits/:sha', async (request, reply) => {
    const repository = findRepository(gitea, request);
    const { git } = repository;
    const [, name = '', kind] = /^(.*?)(\.diff|\.patch)?$/.exec(request.params.sha) ?? [];
    const commit = named(git, name);
    if (kind !== undefined) {
      const text = await readDiffText(git.path, commit.parents[0] ?? emptyTree, commit.sha);
      return reply.type('text/plain; charset=utf-8').send(text);
    }
    const files = await unlessMissing(changesOf(git, commit.sha));
    return commitJson(gitea, repository, commit, { files, hasStat: true });
  });
  server.get<ByName>('/repos/:owner/:repo/commits/:sha/pull', async (request) => {
    const repository = findRepository(gitea, request);
    const { sha } = named(repository.git, request.params.sha);
    // Only the merge commit leads to a pull request.
    const pull = repository.git.pullRequests.find(({ mergedAt, mergeSha }) => mergedAt !== null && mergeSha === sha);
    if (pull === undefined) throw notFound();
    return pullJson(gitea, repository, pull);
  });
  server.get<{ Params: { '*': string } }>('/repos/:owner/:repo/compare/*', async (request) => {
    const repository = findRepository(gitea, request);
    const { git } = repository;
    const [from = '', to = ''] = request.params['*'].split('...');
    const [base, head] = [named(git, from), named(git, to)];
    const commits = ahead(git.commits, head.sha, reachable(git.commits, [base.sha]));
    return { total_commits: commits.length, commits: commits.map((commit) => commitJson(gitea, repository, commit)) };
  });
};

export const named = (git: Repository, name: string): Commit => {
  const commit = resolveCommit(git, name);
  if (commit === undefined) throw notFound();
  return commit;
};
