import type { FastifyInstance, FastifyRequest } from 'fastify';
import { branchesOf, resolveCommit } from '../git/repository.ts';
import { accountsOf } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { accessOf, findRepository, isWorkspace, repositoriesIn } from './access.ts';
import type { Bitbucket } from './bitbucket.ts';
import { paginate } from './paging.ts';
import { notFound, refuse } from './refusal.ts';
import { slugOf, userJson, uuidOf, workspaceJson } from './responses/account.ts';
import { commitJson } from './responses/commit.ts';
import { fullSlug, repositoryJson } from './responses/repository.ts';

type RepositoryPathRoute = { Params: { '*': string } };

/** The current user, their workspaces, and repositories and branches in them. */
export const repositoryRoutes = (server: FastifyInstance, bitbucket: Bitbucket): void => {
  const { host } = bitbucket;

  const workspaceOf = (request: FastifyRequest) => {
    const { workspace } = request.params as { workspace: string };
    const { token } = accessOf(bitbucket, request, 'repository');
    const account = accountsOf(host).find((candidate) => isWorkspace(candidate, workspace));
    const isAllowed =
      account && token.kind !== 'repository' && (!('workspace' in token) || token.workspace === slugOf(account.login));
    if (!isAllowed) throw refuse(404, `No workspace with identifier '${workspace}'.`);
    return { token, account, slug: workspace };
  };

  server.get('/user', async (request) => {
    const { user, token } = accessOf(bitbucket, request, 'account');
    if (user !== undefined) return { ...userJson(bitbucket, user), username: user.login, is_staff: false };
    const uuid = uuidOf(JSON.stringify(token));
    return {
      type: 'app_user',
      uuid,
      display_name: 'Access token',
      nickname: 'Access token',
      account_id: uuid,
      links: {},
    };
  });
  server.get('/user/workspaces', async (request) => {
    const { user } = accessOf(bitbucket, request, 'account');
    if (user === undefined) throw refuse(403, 'This API is only accessible by people.');
    return paginate(bitbucket, {
      request,
      items: accountsOf(host),
      toJson: (account) => {
        const { type: _, name: __, is_private: ___, ...base } = workspaceJson(bitbucket, account);
        return { type: 'workspace_access', administrator: true, workspace: { type: 'workspace_base', ...base } };
      },
    });
  });
  server.get('/workspaces/:workspace', async (request) => workspaceJson(bitbucket, workspaceOf(request).account));
  server.get('/repositories/:workspace', async (request) => {
    const { token, slug } = workspaceOf(request);
    const repositories = repositoriesIn(bitbucket, token, slug);
    return paginate(bitbucket, {
      request,
      items: repositories,
      toJson: (repository) => repositoryJson(bitbucket, repository),
    });
  });
  server.get('/repositories/:workspace/:slug', async (request) =>
    repositoryJson(bitbucket, findRepository(bitbucket, request, 'repository')),
  );
  server.get('/repositories/:workspace/:slug/refs/branches', async (request) => {
    const repository = findRepository(bitbucket, request, 'repository');
    return paginate(bitbucket, {
      request,
      items: branchesOf(repository.git),
      toJson: ({ name, sha }) => branchJson(bitbucket, { repository, name, sha }),
    });
  });
  server.get<RepositoryPathRoute>('/repositories/:workspace/:slug/refs/branches/*', async (request) => {
    const repository = findRepository(bitbucket, request, 'repository');
    const name = request.params['*'];
    const sha = repository.git.refs.get(`refs/heads/${name}`);
    if (sha === undefined) throw notFound(`Branch ${name}`);
    return branchJson(bitbucket, { repository, name, sha });
  });
};

/** A branch or, by `type`, a tag, with its commit. */
export const branchJson = (
  bitbucket: Bitbucket,
  {
    repository,
    name,
    sha,
    type = 'branch',
  }: { repository: HostedRepository; name: string; sha: string; type?: 'branch' | 'tag' | undefined },
) => {
  const commit = resolveCommit(repository.git, sha);
  const api = `${bitbucket.api}/repositories/${fullSlug(repository)}`;
  const folder = type === 'branch' ? 'branches' : 'tags';
  return {
    type,
    name,
    target: commit === undefined ? null : commitJson(bitbucket, repository, commit),
    links: {
      self: { href: `${api}/refs/${folder}/${name}` },
      commits: { href: `${api}/commits/${name}` },
      html: { href: `${bitbucket.url}/${fullSlug(repository)}/${type}/${name}` },
    },
  };
};
