import type { FastifyRequest } from 'fastify';
import type { User } from '../git/users.ts';
import { fullName } from '../github/host.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { projectsOf } from '../gitlab/access.ts';
import { addressOf, type Gitea, type GiteaScope } from './instance.ts';
import { notFound, refuse } from './refusal.ts';

type Category = 'repository' | 'organization' | 'user' | 'issue';
type Need = `${'read' | 'write'}:${Category}`;

/** The caller, and the repositories of the accounts that they committed to. Throws 401, or 403 without the scope. */
export const callerOf = (
  gitea: Gitea,
  request: FastifyRequest,
  need: Need,
): { user: User; repositories: HostedRepository[] } => {
  const { host, kept } = gitea;
  const token = kept.tokens[tokenIn(request) ?? ''];
  const user = [...host.users.byLogin.values()].find(({ id }) => id === token?.userId);
  if (token === undefined || user === undefined) throw refuse(401, 'invalid username, password or token');
  const sufficient: GiteaScope[] = ['all', need as GiteaScope, need.replace('read:', 'write:') as GiteaScope];
  if (!token.scopes.some((scope) => sufficient.includes(scope)))
    throw refuse(
      403,
      `token does not have at least one of required scope(s), required=[${need}], token scope=${token.scopes}`,
    );
  return { user, repositories: projectsOf(gitea, user.id) };
};

/** Returns the repository in the path if the caller can see it: 404 otherwise, and 301 for a former name. */
export const findRepository = (
  gitea: Gitea,
  request: FastifyRequest,
  need: Need = 'read:repository',
): HostedRepository => {
  const { owner, repo } = request.params as { owner: string; repo: string };
  const named = `${owner}/${repo}`.toLowerCase();
  const { repositories } = callerOf(gitea, request, need);
  const found = repositories.find((one) => fullName(one).toLowerCase() === named);
  if (found !== undefined) return found;
  const renamed = repositories.find(({ formerNames }) => formerNames.some((name) => name.toLowerCase() === named));
  if (renamed === undefined) throw notFound();
  const rest = request.url.replace(/^.*?\/api\/v1\/repos\/[^/]+\/[^/?]+/, '');
  const location = `${addressOf(gitea)}/api/v1/repos/${fullName(renamed)}${rest}`;
  throw Object.assign(refuse(301, 'Moved Permanently'), { location });
};

/** The same for what only administrators of a repository may do. */
export const findAdministered = (gitea: Gitea, request: FastifyRequest, need?: Need): HostedRepository => {
  const repository = findRepository(gitea, request, need);
  if (!gitea.areAdministrators)
    throw refuse(403, 'user should be an owner or a collaborator with admin write of a repository');
  return repository;
};

const tokenIn = ({ headers }: FastifyRequest): string | undefined =>
  /^(?:token|bearer)\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
