import type { FastifyInstance, FastifyRequest } from 'fastify';
import { basicCredentialsOf, serveGitReads } from '../git/smart-http.ts';
import { fullName } from '../github/host.ts';
import { projectsOf } from '../gitlab/access.ts';
import { type Gitea, giteaPath } from './instance.ts';

/** Reads with git over HTTP, with an access token as the password. */
export const giteaGit = (server: FastifyInstance, gitea: Gitea): Promise<void> =>
  serveGitReads(server, `${giteaPath}/:owner/:repository`, (request) => folderOf(gitea, request));

const folderOf = (gitea: Gitea, { params, headers }: FastifyRequest) => {
  const { owner, repository } = params as Record<'owner' | 'repository', string>;
  const token = gitea.kept.tokens[basicCredentialsOf(headers.authorization)?.password ?? ''];
  if (token === undefined) return 401;
  const sufficient = ['all', 'read:repository', 'write:repository'];
  if (!token.scopes.some((scope) => sufficient.includes(scope))) return 403;
  const path = `${owner}/${repository}`.toLowerCase();
  const found = projectsOf(gitea, token.userId).find((one) => `${fullName(one)}.git`.toLowerCase() === path);
  return found?.git.path ?? 404;
};
