import type { FastifyInstance } from 'fastify';
import { branchesOf, headOf } from '../git/repository.ts';
import { accountsOf } from '../github/host.ts';
import { callerOf, findRepository, maybeCaller } from './access.ts';
import { type DataCenter, projectKeyOf } from './instance.ts';
import { paginate } from './paging.ts';
import { notFound } from './refusal.ts';
import { projectJson, refJson, repositoryJson } from './responses.ts';

type OfProject = { Params: { key: string } };
type Branches = { Querystring: { filterText?: string } };

/** Projects, repositories and branches. */
export const repositoryRoutes = (server: FastifyInstance, dataCenter: DataCenter): void => {
  const { host } = dataCenter;
  // Anonymous users see public projects, of which there are none. Personal projects are not listed.
  server.get('/api/latest/projects', async (request) => {
    if (maybeCaller(dataCenter, request) === undefined) return paginate(dataCenter, request, []);
    const owners = new Set(callerOf(dataCenter, request).repositories.map(({ owner }) => owner.id));
    const found = accountsOf(host).filter(({ id, type }) => type !== 'User' && owners.has(id));
    return paginate(
      dataCenter,
      request,
      found.map((account) => projectJson(dataCenter, account)),
    );
  });
  server.get<OfProject>('/api/latest/projects/:key', async (request) => {
    const { repositories } = callerOf(dataCenter, request);
    const { key } = request.params;
    const found = repositories.find(({ owner }) => projectKeyOf(owner).toLowerCase() === key.toLowerCase());
    if (found === undefined) throw notFound(`Project ${key} does not exist.`);
    return projectJson(dataCenter, found.owner);
  });
  server.get<OfProject>('/api/latest/projects/:key/repos', async (request) => {
    const { repositories } = callerOf(dataCenter, request);
    const { key } = request.params;
    const found = repositories
      .filter(({ owner }) => projectKeyOf(owner).toLowerCase() === key.toLowerCase())
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
    if (found.length === 0) throw notFound(`Project ${key} does not exist.`);
    return paginate(
      dataCenter,
      request,
      found.map((one) => repositoryJson(dataCenter, one)),
    );
  });
  server.get('/api/latest/projects/:key/repos/:slug', async (request) =>
    repositoryJson(dataCenter, findRepository(dataCenter, request)),
  );
  server.get('/api/latest/projects/:key/repos/:slug/default-branch', async (request) => {
    const { git } = findRepository(dataCenter, request);
    if (headOf(git) === undefined) throw notFound('The repository has no default branch.');
    return refJson(`refs/heads/${git.defaultBranch}`);
  });
  server.get<Branches>('/api/latest/projects/:key/repos/:slug/branches', async (request) => {
    const { git } = findRepository(dataCenter, request);
    const { filterText = '' } = request.query;
    const found = branchesOf(git).filter(({ name }) => name.includes(filterText));
    const shown = found.map(({ name, sha }) => ({
      ...refJson(`refs/heads/${name}`),
      latestCommit: sha,
      latestChangeset: sha,
      isDefault: name === git.defaultBranch,
    }));
    return paginate(dataCenter, request, shown);
  });
  server.get('/branch-utils/latest/projects/:key/repos/:slug/branchmodel', async (request) => {
    const { git } = findRepository(dataCenter, request);
    const types = ['BUGFIX', 'FEATURE', 'HOTFIX', 'RELEASE'];
    return {
      development: refJson(`refs/heads/${git.defaultBranch}`),
      types: types.map((id) => ({ id, displayName: id, prefix: `${id.toLowerCase()}/` })),
    };
  });
};
