import type { FastifyInstance, FastifyRequest } from 'fastify';
import { basicCredentialsOf, serveGitReads } from '../git/smart-http.ts';
import { projectsOf } from '../gitlab/access.ts';
import { type DataCenter, dataCenterPath, projectKeyOf, slugOf } from './instance.ts';

/** Reads with git over HTTP, with an access token as a bearer token or as the password. */
export const dataCenterGit = (server: FastifyInstance, dataCenter: DataCenter): Promise<void> =>
  serveGitReads(server, `${dataCenterPath}/scm/:key/:repository`, (request) => folderOf(dataCenter, request));

const folderOf = (dataCenter: DataCenter, { params, headers }: FastifyRequest) => {
  const { key, repository } = params as Record<'key' | 'repository', string>;
  const [, bearer] = /^bearer\s+(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const token = dataCenter.kept.tokens[bearer ?? basicCredentialsOf(headers.authorization)?.password ?? ''];
  if (token === undefined) return 401;
  const found = projectsOf(dataCenter, token.userId).find(
    (one) =>
      projectKeyOf(one.owner).toLowerCase() === key.toLowerCase() && `${slugOf(one)}.git` === repository.toLowerCase(),
  );
  return found?.git.path ?? 404;
};
