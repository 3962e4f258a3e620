import type { FastifyInstance, FastifyRequest } from 'fastify';
import { commitsTouching } from '../git/files.ts';
import { ahead, mergeBase, reachable } from '../git/graph.ts';
import type { Commit } from '../git/log.ts';
import { readDiffText } from '../git/patches.ts';
import { changesOf, differenceOf, resolveCommit } from '../git/repository.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { findRepository } from './access.ts';
import type { Bitbucket } from './bitbucket.ts';
import { paginate } from './paging.ts';
import { refuse } from './refusal.ts';
import { commitJson, fileJson } from './responses/commit.ts';

type PathRoute = { Params: { '*': string } };
type CommitFilter = { Querystring: { include?: string | string[]; exclude?: string | string[]; path?: string } };

/** Lists of commits, single commits, and differences of one or between two. */
export const commitRoutes = (server: FastifyInstance, bitbucket: Bitbucket): void => {
  const listed = async (request: FastifyRequest, repository: HostedRepository, names: string[]) => {
    const { exclude = [], path } = request.query as CommitFilter['Querystring'];
    const { git } = repository;
    const known = reachable(
      git.commits,
      [exclude].flat().map((name) => commitNamed(repository, name).sha),
    );
    const tips = names.map((name) => commitNamed(repository, name).sha);
    const commits = tips.flatMap((tip) => ahead(git.commits, tip, known));
    const unique = [...new Map(commits.map((commit) => [commit.sha, commit])).values()];
    const sorted = tips.length > 1 ? unique.sort((one, other) => other.committer.at - one.committer.at) : unique;
    const touching =
      path === undefined
        ? undefined
        : new Set((await Promise.all(tips.map((tip) => commitsTouching(git.path, tip, path)))).flat());
    return paginate(bitbucket, {
      request,
      items: sorted.filter(({ sha }) => touching?.has(sha) ?? true),
      toJson: (commit) => commitJson(bitbucket, repository, commit),
      sizes: {
        isCounted: false,
      },
    });
  };

  server.get<CommitFilter>('/repositories/:workspace/:slug/commits', async (request) => {
    const repository = findRepository(bitbucket, request, 'repository');
    const { include } = request.query;
    const branches = [...repository.git.refs.keys()].filter((ref) => ref.startsWith('refs/heads/'));
    const all = branches.map((ref) => ref.slice('refs/heads/'.length));
    return listed(request, repository, include === undefined ? all : [include].flat());
  });
  server.get<PathRoute>('/repositories/:workspace/:slug/commits/*', async (request) => {
    const repository = findRepository(bitbucket, request, 'repository');
    return listed(request, repository, [request.params['*']]);
  });
  server.get<{ Params: { commit: string } }>('/repositories/:workspace/:slug/commit/:commit', async (request) => {
    const repository = findRepository(bitbucket, request, 'repository');
    return commitJson(bitbucket, repository, commitNamed(repository, request.params.commit));
  });
  server.get<PathRoute>('/repositories/:workspace/:slug/diffstat/*', async (request) => {
    const repository = findRepository(bitbucket, request, 'repository');
    // In a spec of two commits, the first is the newer one.
    const [head = '', base] = request.params['*'].split('..');
    const { sha } = commitNamed(repository, head);
    const files =
      base === undefined
        ? await changesOf(repository.git, sha)
        : await differenceOf(repository.git, commitNamed(repository, base).sha, sha);
    return paginate(bitbucket, {
      request,
      items: files,
      toJson: (file) => fileJson(bitbucket, repository, sha, file),
      sizes: { most: 500 },
    });
  });
  server.get<PathRoute>('/repositories/:workspace/:slug/diff/*', async (request, reply) => {
    const { git } = findRepository(bitbucket, request, 'repository');
    const [head = '', base] = decodeURIComponent(request.params['*']).split('..');
    const [newer, older] = [resolveCommit(git, head), resolveCommit(git, base ?? `${head}^`)];
    const common = newer && older && mergeBase(git.commits, older.sha, newer.sha);
    if (!common) throw refuse(404, 'Commit not found', { shas: [head] });
    return reply.type('text/plain').send(await readDiffText(git.path, common.sha, newer.sha));
  });
};

/** Returns the commit of a branch, tag or SHA. Throws 404 with Bitbucket's message. */
export const commitNamed = (repository: HostedRepository, name: string): Commit => {
  const commit = resolveCommit(repository.git, name);
  if (commit === undefined) throw refuse(404, 'Commit not found', { shas: [name] });
  return commit;
};
