import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { User } from '../git/users.ts';
import type { GithubAccount, HostedRepository } from '../github/hosted-repository.ts';
import type { Bitbucket, BitbucketScope, BitbucketToken } from './bitbucket.ts';
import { notFound, refuse } from './refusal.ts';
import { slugOf, uuidOf } from './responses/account.ts';

/** The credential of a request: of a user, or of a token without a user. */
export type BitbucketAccess = { token: BitbucketToken; user: User | undefined };

/** Throws 401 without a valid credential and 403 without the scope, with Bitbucket's error messages. */
export const accessOf = (bitbucket: Bitbucket, request: FastifyRequest, scope: BitbucketScope): BitbucketAccess => {
  const access = signedIn(bitbucket, request.headers.authorization ?? '');
  if (access === undefined) throw refuse(401, 'Token is invalid, expired, or not supported for this endpoint.');
  const { scopes: granted } = access.token;
  if (!granted.includes(scope)) {
    const detail = { granted, required: [scope] };
    throw refuse(403, 'Your credentials lack one or more required privilege scopes.', detail);
  }
  return access;
};

/** Adds the scopes of the credential to every response. */
export const addScopeHeaders = (server: FastifyInstance, bitbucket: Bitbucket): void => {
  server.addHook('onSend', async (request, reply) => {
    const access = signedIn(bitbucket, request.headers.authorization ?? '');
    if (access !== undefined) reply.header('x-oauth-scopes', access.token.scopes.join(', '));
  });
};

/** Returns the repository in a path if the caller can see it; throws 404 otherwise. */
export const findRepository = (
  bitbucket: Bitbucket,
  request: FastifyRequest,
  scope: BitbucketScope,
): HostedRepository => {
  const { token } = accessOf(bitbucket, request, scope);
  const { workspace, slug } = request.params as { workspace: string; slug: string };
  const found = visible(bitbucket, token).find(
    ({ id, name, owner }) =>
      isWorkspace(owner, workspace) && (slugOf(name) === slug || uuidOf(`repository:${id}`) === slug),
  );
  if (found === undefined) throw notFound(`Repository ${workspace}/${slug}`);
  return found;
};

/** Returns the repositories of a workspace that a token can access. */
export const repositoriesIn = (bitbucket: Bitbucket, token: BitbucketToken, workspace: string): HostedRepository[] =>
  visible(bitbucket, token).filter(({ owner }) => isWorkspace(owner, workspace));

/** Whether a path segment names this workspace, by slug or UUID. */
export const isWorkspace = (account: GithubAccount, named: string): boolean =>
  slugOf(account.login) === named || uuidOf(`workspace:${account.id}`) === named;

const visible = ({ host }: Bitbucket, token: BitbucketToken): HostedRepository[] =>
  host.repositories.filter(
    ({ owner, name }) =>
      !('workspace' in token) ||
      (token.workspace === slugOf(owner.login) && (token.kind === 'workspace' || token.slug === slugOf(name))),
  );

const signedIn = ({ host, tokens }: Bitbucket, header: string): BitbucketAccess | undefined => {
  const [, scheme = '', given = ''] = /^(basic|bearer)\s+(\S+)$/i.exec(header) ?? [];
  const isBasic = scheme.toLowerCase() === 'basic';
  const pair = isBasic ? Buffer.from(given, 'base64').toString() : `:${given}`;
  const name = pair.slice(0, pair.indexOf(':'));
  const token = tokens.get(pair.slice(name.length + 1));
  if (token === undefined || token.kind === 'refresh' || isBasic !== (token.kind === 'api')) return undefined;
  if (token.expiresAt !== null && token.expiresAt <= Date.now()) return undefined;
  if (!('login' in token)) return { token, user: undefined };
  const user = host.users.byLogin.get(token.login.toLowerCase());
  const isOwnToken = !isBasic || user?.emails.some((email) => email.toLowerCase() === name.toLowerCase());
  return user !== undefined && isOwnToken ? { token, user } : undefined;
};
