import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { errors, jwtVerify } from 'jose';
import type { User } from '../git/users.ts';
import { fullName, type GithubToken, type Host, type Installation, repositoriesOf } from './host.ts';
import type { HostedRepository } from './hosted-repository.ts';
import { badCredentials, notFound, refuse } from './refusal.ts';

const prefixes = { installation: 'ghs_', user: 'ghu_', refresh: 'ghr_' } as const;

/** Creates a token for an installation or a user (`holder` is its ID) that is valid for `seconds`. */
export const issueToken = (
  host: Host,
  {
    kind,
    holder,
    seconds,
    repositories,
  }: { kind: GithubToken['kind']; holder: number; seconds: number; repositories?: Set<number> | undefined },
): { token: string; expiresAt: number } => {
  const token = `${prefixes[kind]}${randomBytes(27).toString('base64url').replaceAll(/[-_]/g, '0')}`;
  const expiresAt = Date.now() + seconds * 1000;
  host.tokens.set(token, { kind, holder, expiresAt, ...(repositories === undefined ? {} : { repositories }) });
  return { token, expiresAt };
};

/** Verifies the signed JWT of the app. Throws 401 with GitHub's message. */
export const requireApp = async (host: Host, request: FastifyRequest): Promise<void> => {
  const token = bearerOf(request);
  if (token?.split('.').length !== 3) throw refuse(401, 'A JSON web token could not be decoded');
  const { payload } = await jwtVerify(token, host.app.publicKey, {
    algorithms: ['RS256'],
    clockTolerance: 0,
  }).catch((error: unknown) => {
    if (error instanceof errors.JWTExpired) throw refuse(401, "'Expiration time' claim ('exp') is in the past");
    throw refuse(401, 'A JSON web token could not be decoded');
  });
  const issuers = [String(host.app.appId), host.app.clientId];
  if (!issuers.includes(String(payload.iss))) throw refuse(401, "'Issuer' claim ('iss') must be an Integer");
  const now = Date.now() / 1000;
  if (payload.exp === undefined || payload.exp > now + 600) {
    throw refuse(401, "'Expiration time' claim ('exp') is too far in the future");
  }
  if (payload.iat !== undefined && payload.iat > now + 60) {
    throw refuse(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
  }
};

export type GithubAccess =
  | { kind: 'installation'; installation: Installation; repositories: HostedRepository[] }
  | { kind: 'user'; user: User; repositories: HostedRepository[] };

/** Returns the caller of an installation or user token with its access. Throws 401 or, while suspended, 403. */
export const accessOf = (host: Host, request: FastifyRequest): GithubAccess => {
  const given = bearerOf(request);
  const token = given === undefined ? undefined : host.tokens.get(given);
  if (given === undefined) throw refuse(401, 'Requires authentication');
  if (token === undefined || token.kind === 'refresh' || token.expiresAt <= Date.now()) throw badCredentials();
  if (token.kind === 'user') {
    const user = [...host.users.byLogin.values()].find(({ id }) => id === token.holder);
    if (user === undefined) throw badCredentials();
    const active = installationsOf(host, user).filter(({ suspendedAt }) => suspendedAt === null);
    return { kind: 'user', user, repositories: active.flatMap((installation) => repositoriesOf(host, installation)) };
  }
  const installation = host.installations.get(token.holder);
  if (installation === undefined) throw badCredentials();
  if (installation.suspendedAt !== null) throw refuse(403, 'This installation has been suspended');
  const all = repositoriesOf(host, installation);
  const { repositories: limit } = token;
  return {
    kind: 'installation',
    installation,
    repositories: limit === undefined ? all : all.filter(({ id }) => limit.has(id)),
  };
};

export const requireUser = (host: Host, request: FastifyRequest): User => {
  const access = accessOf(host, request);
  if (access.kind === 'user') return access.user;
  throw refuse(403, 'Resource not accessible by integration');
};

export const requireInstallation = (host: Host, request: FastifyRequest): GithubAccess & { kind: 'installation' } => {
  const access = accessOf(host, request);
  if (access.kind === 'installation') return access;
  throw refuse(403, 'Resource not accessible by personal access token');
};

/** Returns the repository in a path if the caller can see it: 404 otherwise, and 301 for a former name. */
export const findRepository = (host: Host, request: FastifyRequest): HostedRepository => {
  const { owner, repo } = request.params as { owner: string; repo: string };
  const requestedName = `${owner}/${repo}`.toLowerCase();
  const { repositories } = accessOf(host, request);
  const found = repositories.find((repository) => fullName(repository).toLowerCase() === requestedName);
  if (found !== undefined) return found;
  const renamed = repositories.find(({ formerNames }) =>
    formerNames.some((name) => name.toLowerCase() === requestedName),
  );
  if (renamed === undefined) throw notFound();
  const location = request.url.replace(/\/repos\/[^/]+\/[^/?]+/, `/repos/${fullName(renamed)}`);
  throw refuse(301, 'Moved Permanently', { location: `${host.url}${location}` });
};

/**
 * The installations that a user can see: those that they created, and those of accounts with repositories that they
 * contributed to.
 */
export const installationsOf = (host: Host, user: User): Installation[] =>
  [...host.installations.values()].filter(
    ({ account, installedBy }) =>
      installedBy?.id === user.id || account.id === user.id || hasWorkedFor(host, account.id, user),
  );

const hasWorkedFor = (host: Host, accountId: number, user: User): boolean => {
  const emails = new Set(user.emails.map((email) => email.toLowerCase()));
  return host.repositories.some(
    ({ owner, git }) =>
      owner.id === accountId &&
      [...git.commits.values()].some(({ author }) => emails.has(author.email.trim().toLowerCase())),
  );
};

const bearerOf = (request: FastifyRequest): string | undefined =>
  /^(?:token|bearer)\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
