import type { FastifyRequest } from 'fastify';
import type { User } from '../git/users.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { type GitlabInstance, type GitlabScope, type Group, pathOf } from './instance.ts';
import { missingScope, notFound, refuse } from './refusal.ts';

export type GitlabAccess = { user: User; scopes: GitlabScope[]; groups: Group[]; repositories: HostedRepository[] };

/**
 * The caller and their access: the groups with a project that they committed to. Throws 401, or 403 without the scope.
 */
export const accessOf = (
  instance: GitlabInstance,
  request: FastifyRequest,
  scope: GitlabScope = 'read_api',
): GitlabAccess => {
  const { host, kept, groups } = instance;
  const token = kept.tokens[tokenOf(request) ?? ''];
  const user = [...host.users.byLogin.values()].find(({ id }) => id === token?.userId);
  if (token === undefined || user === undefined) throw refuse(401, '401 Unauthorized');
  if (token.expiresAt !== null && token.expiresAt <= Date.now()) {
    throw refuse(401, 'invalid_token', {
      error: 'invalid_token',
      error_description: 'Token is expired. You can either do re-authorization or token refresh.',
    });
  }
  const sufficientScopes: GitlabScope[] = scope === 'read_user' ? ['api', 'read_api', 'read_user'] : ['api', scope];
  const hasScope = token.scopes.some((one) => sufficientScopes.includes(one));
  if (!hasScope) throw missingScope([...new Set(sufficientScopes)]);
  const repositories = projectsOf(instance, user.id);
  const owners = new Set(repositories.map(({ owner }) => owner.id));
  const accessibleGroups = groups.filter(({ account }) => owners.has(account.id));
  return { user, scopes: token.scopes, groups: accessibleGroups, repositories };
};

/** The projects that a user can see: those of the groups with a project that they committed to. */
export const projectsOf = ({ host }: Pick<GitlabInstance, 'host'>, userId: number): HostedRepository[] => {
  const user = [...host.users.byLogin.values()].find(({ id }) => id === userId);
  if (user === undefined) return [];
  const owners = new Set(host.repositories.flatMap((one) => (hasWorkedOn(one, user) ? one.owner.id : [])));
  return host.repositories.filter(({ owner }) => owners.has(owner.id));
};

type ProjectParams = { id: string };

/** Returns the project of an ID or path if the caller can see it: 404 otherwise, and 301 for a former name. */
export const findProject = (
  instance: GitlabInstance,
  request: FastifyRequest,
  scope?: GitlabScope,
): HostedRepository => {
  const { id } = request.params as ProjectParams;
  const named = id.toLowerCase();
  const { repositories } = accessOf(instance, request, scope);
  const found = repositories.find((one) => String(one.id) === named || pathOf(one).toLowerCase() === named);
  if (found !== undefined) return found;
  const isFormer = ({ owner, formerNames }: HostedRepository): boolean =>
    formerNames.some((name) => `${owner.login}/code${name.slice(name.indexOf('/'))}`.toLowerCase() === named);
  const renamed = repositories.find(isFormer);
  if (renamed === undefined) throw notFound('Project');
  const location = request.url.replace(/\/projects\/[^/?]+/, `/projects/${renamed.id}`);
  throw Object.assign(refuse(301, '301 Moved Permanently'), { location: `${instance.host.url}${location}` });
};

export const findGroup = (instance: GitlabInstance, request: FastifyRequest): Group => {
  const { id: named } = request.params as ProjectParams;
  const found = accessOf(instance, request).groups.find(
    ({ id, path }) => String(id) === named || path.toLowerCase() === named.toLowerCase(),
  );
  if (found === undefined) throw notFound('Group');
  return found;
};

const tokenOf = ({ headers }: FastifyRequest): string | undefined =>
  String(headers['private-token'] ?? '') || /^bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];

const hasWorkedOn = ({ owner, git }: HostedRepository, user: User): boolean => {
  const authors = authorsOf(git.commits);
  return owner.id === user.id || user.emails.some((email) => authors.has(email.toLowerCase()));
};

const knownAuthors = new WeakMap<HostedRepository['git']['commits'], { commits: number; emails: Set<string> }>();

/** The addresses of all authors. Commits are only added, so the addresses are read again when there are more. */
const authorsOf = (commits: HostedRepository['git']['commits']): Set<string> => {
  const known = knownAuthors.get(commits);
  if (known?.commits === commits.size) return known.emails;
  const emails = new Set([...commits.values()].map(({ author }) => author.email.toLowerCase()));
  knownAuthors.set(commits, { commits: commits.size, emails });
  return emails;
};
