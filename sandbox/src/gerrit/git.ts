import type { FastifyInstance, FastifyRequest } from 'fastify';
import { serveGitReads } from '../git/smart-http.ts';
import { fullName } from '../github/host.ts';
import { projectsOf } from '../gitlab/access.ts';
import { accountIn } from './access.ts';
import { type Gerrit, gerritPath } from './instance.ts';

/** Reads with git over HTTP below `/a`, with HTTP credentials. */
export const gerritGit = (server: FastifyInstance, gerrit: Gerrit): Promise<void> =>
  serveGitReads(server, `${gerritPath}/a/:owner/:repository`, (request) => folderOf(gerrit, request));

const folderOf = (gerrit: Gerrit, { params, headers }: FastifyRequest) => {
  const { owner, repository } = params as Record<'owner' | 'repository', string>;
  const user = accountIn(gerrit, headers.authorization);
  if (user === undefined) return 401;
  const path = `${owner}/${repository.replace(/\.git$/, '')}`;
  return projectsOf(gerrit, user.id).find((one) => fullName(one) === path)?.git.path ?? 404;
};
