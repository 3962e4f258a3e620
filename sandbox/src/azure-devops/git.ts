import type { FastifyInstance, FastifyRequest } from 'fastify';
import { basicCredentialsOf, serveGitReads } from '../git/smart-http.ts';
import { projectsOf } from '../gitlab/access.ts';
import { type AzureDevops, collectionPath } from './collection.ts';

/** Reads with git over HTTP, with a personal access token as the password. */
export const azureDevopsGit = (server: FastifyInstance, azureDevops: AzureDevops): Promise<void> =>
  serveGitReads(server, `${collectionPath}/:project/_git/:repo`, (request) => folderOf(azureDevops, request));

const folderOf = (azureDevops: AzureDevops, { params, headers }: FastifyRequest) => {
  const { project, repo } = params as Record<'project' | 'repo', string>;
  const token = azureDevops.kept.tokens[basicCredentialsOf(headers.authorization)?.password ?? ''];
  if (token === undefined) return 401;
  if (!token.scopes.some((scope) => scope === 'full' || scope === 'code' || scope === 'code_write')) return 403;
  const found = projectsOf(azureDevops, token.userId).find(
    ({ owner, name }) =>
      owner.login.toLowerCase() === project.toLowerCase() && name.toLowerCase() === repo.toLowerCase(),
  );
  return found?.git.path ?? 404;
};
