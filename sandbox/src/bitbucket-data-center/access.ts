import type { FastifyRequest } from 'fastify';
import type { User } from '../git/users.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { projectsOf } from '../gitlab/access.ts';
import { type DataCenter, type DataCenterToken, projectKeyOf, slugOf, type TokenPermission } from './instance.ts';
import { notFound, refuse, unauthorized } from './refusal.ts';

/** The user and permission of a token; undefined for an anonymous user. */
export const maybeCaller = (
  { host, kept }: DataCenter,
  request: FastifyRequest,
): { user: User; permission: TokenPermission } | undefined => {
  const token: DataCenterToken | undefined = kept.tokens[tokenIn(request) ?? ''];
  const user = [...host.users.byLogin.values()].find(({ id }) => id === token?.userId);
  return token === undefined || user === undefined ? undefined : { user, permission: token.permission };
};

/** The caller, and the repositories of the accounts that they committed to. Throws 401 for an anonymous user. */
export const callerOf = (dataCenter: DataCenter, request: FastifyRequest) => {
  const caller = maybeCaller(dataCenter, request);
  if (caller === undefined) throw unauthorized();
  return { ...caller, repositories: projectsOf(dataCenter, caller.user.id) };
};

type RepositoryParams = { key: string; slug: string };

/** Returns the repository in the path if the caller can see it: 404 otherwise, and 301 for a former name. */
export const findRepository = (dataCenter: DataCenter, request: FastifyRequest): HostedRepository => {
  const { key, slug } = request.params as RepositoryParams;
  const { repositories } = callerOf(dataCenter, request);
  const inProject = repositories.filter(({ owner }) => projectKeyOf(owner).toLowerCase() === key.toLowerCase());
  const found = inProject.find((one) => slugOf(one) === slug.toLowerCase());
  if (found !== undefined) return found;
  const renamed = inProject.find(({ formerNames }) =>
    formerNames.some((name) => name.slice(name.indexOf('/') + 1).toLowerCase() === slug.toLowerCase()),
  );
  if (renamed === undefined) throw notFound(`Repository ${key}/${slug} does not exist.`);
  const location = request.url.replace(/\/repos\/[^/?]+/, `/repos/${slugOf(renamed)}`);
  throw Object.assign(refuse(301, 'Moved Permanently'), { location: `${dataCenter.host.url}${location}` });
};

/** The same for what only administrators of a repository may do. */
export const findAdministered = (dataCenter: DataCenter, request: FastifyRequest): HostedRepository => {
  const repository = findRepository(dataCenter, request);
  const { permission } = callerOf(dataCenter, request);
  if (!dataCenter.areAdministrators || permission !== 'REPO_ADMIN') throw unauthorized();
  return repository;
};

const tokenIn = ({ headers }: FastifyRequest): string | undefined =>
  /^bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
