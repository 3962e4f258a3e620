import type { FastifyInstance, FastifyRequest } from 'fastify';
import { basicCredentialsOf, serveGitReads } from '../git/smart-http.ts';
import { projectsOf } from './access.ts';
import { type GitlabInstance, instancePath, pathOf } from './instance.ts';

/** Reads with git over HTTP, with an access token as the password. */
export const gitlabGit = (server: FastifyInstance, instance: GitlabInstance): Promise<void> =>
  serveGitReads(server, `${instancePath}/:group/:subgroup/:project`, (request) => folderOf(instance, request));

const folderOf = (instance: GitlabInstance, { params, headers }: FastifyRequest) => {
  const { group, subgroup, project } = params as Record<'group' | 'subgroup' | 'project', string>;
  const token = instance.kept.tokens[basicCredentialsOf(headers.authorization)?.password ?? ''];
  if (token === undefined || (token.expiresAt !== null && token.expiresAt <= Date.now())) return 401;
  // The scope for git over HTTP, if it is not `write_repository` or `read_repository`.
  if (!token.scopes.includes('api')) return 403;
  const path = `${group}/${subgroup}/${project}`.toLowerCase();
  return projectsOf(instance, token.userId).find((one) => `${pathOf(one)}.git`.toLowerCase() === path)?.git.path ?? 404;
};
