import type { FastifyInstance, FastifyRequest } from 'fastify';
import { basicCredentialsOf, serveGitReads } from '../git/smart-http.ts';
import { repositoriesIn } from './access.ts';
import type { Bitbucket } from './bitbucket.ts';
import { slugOf } from './responses/account.ts';

/** Reads with git over HTTP. The user name depends on the kind of the token. */
export const bitbucketGit = (server: FastifyInstance, bitbucket: Bitbucket): Promise<void> =>
  serveGitReads(server, '/:workspace/:slug', (request) => folderOf(bitbucket, request));

const folderOf = (bitbucket: Bitbucket, { params, headers }: FastifyRequest) => {
  const { workspace, slug } = params as Record<'workspace' | 'slug', string>;
  const { name = '', password = '' } = basicCredentialsOf(headers.authorization) ?? {};
  const token = bitbucket.tokens.get(password);
  if (token === undefined || token.kind === 'refresh') return 401;
  if (token.expiresAt !== null && token.expiresAt <= Date.now()) return 401;
  if (name !== (token.kind === 'api' ? 'x-bitbucket-api-token-auth' : 'x-token-auth')) return 401;
  if (!token.scopes.includes('repository')) return 403;
  const found = repositoriesIn(bitbucket, token, workspace).find((one) => `${slugOf(one.name)}.git` === slug);
  return found?.git.path ?? 404;
};
