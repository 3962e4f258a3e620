import type { FastifyRequest } from 'fastify';
import { basicCredentialsOf } from '../git/smart-http.ts';
import type { User } from '../git/users.ts';
import type { HostedRepository } from '../github/hosted-repository.ts';
import { projectsOf } from '../gitlab/access.ts';
import { type AzureDevops, projectIdOf, repositoryIdOf, type TokenScope } from './collection.ts';
import { refuse, signIn } from './refusal.ts';

type AzureDevopsCaller = { user: User; repositories: HostedRepository[] };

/** The caller, and the repositories of the projects that they committed to. Throws 401 or 203, or 403 without the scope. */
export const callerOf = (azureDevops: AzureDevops, request: FastifyRequest, scope: TokenScope): AzureDevopsCaller => {
  const { host, kept } = azureDevops;
  const token = kept.tokens[basicCredentialsOf(request.headers.authorization)?.password ?? ''];
  const user = [...host.users.byLogin.values()].find(({ id }) => id === token?.userId);
  if (token === undefined || user === undefined) throw signIn(azureDevops.hasSignInPage);
  const sufficient: TokenScope[] = scope === 'code' ? ['full', 'code', 'code_write'] : ['full', scope];
  if (!token.scopes.some((one) => sufficient.includes(one)))
    throw refuse(403, 'AccessCheckException', 'TF400813: The user is not authorized to access this resource.');
  return { user, repositories: projectsOf(azureDevops, user.id) };
};

/** The same for what only administrators of a project may do. */
export const administratorOf = (
  azureDevops: AzureDevops,
  request: FastifyRequest,
  scope: TokenScope,
): AzureDevopsCaller => {
  const caller = callerOf(azureDevops, request, scope);
  if (!azureDevops.areAdministrators)
    throw refuse(403, 'AccessCheckException', 'Access denied: you need the following permission(s): ManagePermissions');
  return caller;
};

const isNamed = (name: string, id: string, wanted: string): boolean =>
  [name, id].some((one) => one.toLowerCase() === wanted.toLowerCase());

/** The repositories of the project in the path. */
export const findProject = (
  azureDevops: AzureDevops,
  request: FastifyRequest,
  scope: TokenScope = 'code',
): HostedRepository[] => {
  const { project = '' } = request.params as { project?: string };
  const { repositories } = callerOf(azureDevops, request, scope);
  const found = repositories.filter((one) => isNamed(one.owner.login, projectIdOf(one), project));
  if (found.length === 0)
    throw refuse(
      404,
      'ProjectDoesNotExistWithNameException',
      `TF200016: The following project does not exist: ${project}.`,
    );
  return found;
};

/** Returns the repository in the path by its name or ID. Former names are not found. */
export const findRepository = (
  azureDevops: AzureDevops,
  request: FastifyRequest,
  scope: TokenScope = 'code',
): HostedRepository => {
  const { repo = '' } = request.params as { repo?: string };
  const found = findProject(azureDevops, request, scope).find((one) => isNamed(one.name, repositoryIdOf(one), repo));
  if (found === undefined)
    throw refuse(
      404,
      'GitRepositoryNotFoundException',
      `TF401019: The Git repository with name or identifier ${repo} does not exist`,
    );
  return found;
};
