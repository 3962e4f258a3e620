import type { FastifyInstance } from 'fastify';
import { findTree, readBlob, readTree } from '../git/files.ts';
import { branchesOf, headOf, historyOf, resolveCommit } from '../git/repository.ts';
import { type User, userOf } from '../git/users.ts';
import { fullName, type Host } from './host.ts';
import type { HostedRepository } from './hosted-repository.ts';
import { paginate } from './paging.ts';
import { branchProtectionJson, isProtected, protectionJson } from './protection.ts';
import { notFound, refuse } from './refusal.ts';
import { accountJson, nodeId } from './responses/account.ts';
import { commitJson } from './responses/commit.ts';
import { repositoryJson } from './responses/repository.ts';
import { findRepository } from './tokens.ts';

type ContentPathRoute = { Params: { '*': string } };

/** Repositories, their branches, contributors and trees. */
export const repositoryRoutes = (server: FastifyInstance, host: Host): void => {
  server.get('/repos/:owner/:repo', async (request) => repositoryJson(host, findRepository(host, request)));

  server.get('/repos/:owner/:repo/branches', async (request, reply) => {
    const repository = findRepository(host, request);
    const names = branchesOf(repository.git).sort((one, other) => (one.name < other.name ? -1 : 1));
    return paginate(request, reply, names).map(({ name, sha }) => ({
      name,
      commit: { sha, url: `${host.api}/repos/${fullName(repository)}/commits/${sha}` },
      protected: isProtected(repository, name),
    }));
  });
  server.get<ContentPathRoute>('/repos/:owner/:repo/branches/*', async (request) => {
    const repository = findRepository(host, request);
    const [, name = '', part] = /^(.*?)(\/protection)?$/.exec(request.params['*']) ?? [];
    const commit = repository.git.commits.get(repository.git.refs.get(`refs/heads/${name}`) ?? '');
    if (commit === undefined) throw refuse(404, 'Branch not found');
    const self = `${host.api}/repos/${fullName(repository)}/branches/${name}`;
    if (part !== undefined) return protectionJson(host, repository, name);
    return {
      name,
      commit: commitJson(host, repository, commit),
      _links: { self, html: `${host.url}/${fullName(repository)}/tree/${name}` },
      protected: isProtected(repository, name),
      protection: branchProtectionJson(repository, name),
      protection_url: `${self}/protection`,
    };
  });
  server.get('/repos/:owner/:repo/contributors', async (request, reply) => {
    const contributors = countContributions(host, findRepository(host, request));
    return paginate(request, reply, contributors).map(({ user, contributions }) => ({
      ...accountJson(host, user),
      contributions,
    }));
  });
  server.get<ContentPathRoute & { Querystring: { recursive?: string } }>(
    '/repos/:owner/:repo/git/trees/*',
    async (request) => {
      const repository = findRepository(host, request);
      const { git } = repository;
      const sha = await findTree(git.path, resolveCommit(git, request.params['*'])?.sha ?? request.params['*']);
      if (sha === undefined || sha === '') throw notFound();
      const entries = await readTree(git.path, sha, request.query.recursive !== undefined);
      const self = `${host.api}/repos/${fullName(repository)}/git`;
      return {
        sha,
        url: `${self}/trees/${sha}`,
        tree: entries.slice(0, host.mostTreeEntries).map((entry) => ({
          ...entry,
          ...(entry.type === 'commit' ? {} : { url: `${self}/${entry.type}s/${entry.sha}` }),
        })),
        truncated: entries.length > host.mostTreeEntries,
      };
    },
  );
  server.get<{ Params: { sha: string } }>('/repos/:owner/:repo/git/blobs/:sha', async (request) => {
    const repository = findRepository(host, request);
    const { sha } = request.params;
    if (!/^[0-9a-f]{40,64}$/.test(sha)) throw notFound();
    const blob = await readBlob(repository.git.path, sha).catch(() => undefined);
    if (blob === undefined) throw notFound();
    const url = `${host.api}/repos/${fullName(repository)}/git/blobs/${sha}`;
    const content = blob.toString('base64');
    return { sha, node_id: nodeId('Blob', sha), size: blob.length, url, content, encoding: 'base64' };
  });
};

const countContributions = (host: Host, { git }: HostedRepository): { user: User; contributions: number }[] => {
  const counts = new Map<User, number>();
  for (const { author } of historyOf(git, headOf(git)?.sha ?? '')) {
    const user = userOf(host.users, author);
    if (user !== undefined) counts.set(user, (counts.get(user) ?? 0) + 1);
  }
  return [...counts]
    .map(([user, contributions]) => ({ user, contributions }))
    .sort((one, other) => other.contributions - one.contributions || one.user.id - other.user.id);
};
