import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { User } from '../git/users.ts';
import type { Grant, Host } from './host.ts';
import { html, sendPage } from './page.ts';
import { peopleForm, personOf } from './people-form.ts';
import { issueToken } from './tokens.ts';

type OAuthQuery = Record<string, string | undefined>;

/** Sign-in with the sandbox: the page where users select an account, and the exchange of codes for tokens. */
export const oauthRoutes = (server: FastifyInstance, host: Host): void => {
  server.get<{ Querystring: OAuthQuery }>('/login/oauth/authorize', async (request, reply) => {
    const { query } = request;
    const refusal = checkRequest(host, query);
    if (refusal !== undefined) return reply.redirect(refusal, 302);
    if (query.client_id !== host.app.clientId)
      return sendPage(reply, 'Not found', html`<p>No app has this client id.</p>`, 404);
    return sendPage(reply, 'Authorize Sightline', authorizePage(host, query));
  });
  server.post<{ Body: OAuthQuery }>('/login/oauth/authorize', async (request, reply) => {
    const { body } = request;
    const refusal = body.client_id === host.app.clientId ? checkRequest(host, body) : undefined;
    const target = body.redirect_uri || host.app.callbackUrl;
    if (refusal !== undefined) return reply.redirect(refusal, 303);
    if (body.client_id !== host.app.clientId || target === undefined) {
      return sendPage(reply, 'Not found', html`<p>No app has this client id, or it has no callback address.</p>`, 404);
    }
    const user = personOf(host, body);
    if (user === undefined) return reply.redirect(withQuery(target, { ...denied, state: body.state }), 303);
    const code = issueCode(host, user, body.redirect_uri || undefined, body.code_challenge || undefined);
    return reply.redirect(withQuery(target, { code, state: body.state }), 303);
  });
  server.post<{ Body: OAuthQuery | undefined; Querystring: OAuthQuery }>(
    '/login/oauth/access_token',
    async (request, reply) => {
      const answer = exchange(host, { ...request.query, ...request.body });
      if (request.headers.accept?.includes('json')) return reply.send(answer);
      const fields = Object.entries(answer).map(([name, value]): [string, string] => [name, String(value)]);
      return reply.type('application/x-www-form-urlencoded').send(new URLSearchParams(fields).toString());
    },
  );
};

/** A single-use code that is valid for ten minutes. */
export const issueCode = (host: Host, user: User, redirectUri?: string, challenge?: string): string => {
  const code = randomBytes(10).toString('hex');
  const grant: Grant = { userId: user.id, redirectUri, challenge, expiresAt: Date.now() + 600_000 };
  host.grants.set(code, grant);
  return code;
};

/** Adds these fields to the query of `url`, except undefined and empty ones. */
export const withQuery = (url: string, fields: OAuthQuery): string => {
  const target = new URL(url);
  for (const [name, value] of Object.entries(fields)) if (value) target.searchParams.set(name, value);
  return target.href;
};

const denied = {
  error: 'access_denied',
  error_description: 'The user has denied your application access.',
};

// GitHub redirects to the registered URL if another one is requested.
const checkRequest = ({ app }: Host, { client_id, redirect_uri, state }: OAuthQuery): string | undefined => {
  if (client_id !== app.clientId || app.callbackUrl === undefined || !redirect_uri) return undefined;
  const registered = [app.callbackUrl, ...app.otherCallbackUrls];
  if (registered.some((url) => isBelow(redirect_uri, url))) return undefined;
  return withQuery(app.callbackUrl, { ...mismatch, state });
};

const mismatch = {
  error: 'redirect_uri_mismatch',
  error_description: 'The redirect_uri MUST match the registered callback URL for this application.',
};

/** Whether a URL is a registered one, or below it. */
export const isBelow = (candidate: string, registered: string): boolean => {
  if (!URL.canParse(candidate)) return false;
  const [one, other] = [new URL(candidate), new URL(registered)];
  return one.origin === other.origin && `${one.pathname}/`.startsWith(`${other.pathname.replace(/\/$/, '')}/`);
};

const exchange = (host: Host, fields: OAuthQuery): Record<string, string | number> => {
  const { client_id, client_secret = '', code = '', code_verifier = '', redirect_uri } = fields;
  if (client_id !== host.app.clientId || !isSame(client_secret, host.app.clientSecret)) {
    return failure('incorrect_client_credentials', 'The client_id and/or client_secret passed are incorrect.');
  }
  if (fields.grant_type === 'refresh_token') return refreshTokens(host, fields.refresh_token ?? '');
  const grant = host.grants.get(code);
  host.grants.delete(code);
  const isProven = grant?.challenge === undefined || grant.challenge === challengeOf(code_verifier);
  if (grant === undefined || grant.expiresAt <= Date.now() || !isProven) {
    return failure('bad_verification_code', 'The code passed is incorrect or expired.');
  }
  if (redirect_uri !== undefined && grant.redirectUri !== undefined && redirect_uri !== grant.redirectUri) {
    return failure(mismatch.error, mismatch.error_description);
  }
  return issueTokens(host, grant.userId);
};

const refreshTokens = (host: Host, given: string): Record<string, string | number> => {
  const token = host.tokens.get(given);
  host.tokens.delete(given);
  if (token?.kind !== 'refresh' || token.expiresAt <= Date.now()) {
    return failure('bad_refresh_token', 'The refresh token passed is incorrect or expired.');
  }
  return issueTokens(host, token.holder);
};

const issueTokens = (host: Host, userId: number): Record<string, string | number> => ({
  access_token: issueToken(host, { kind: 'user', holder: userId, seconds: accessSeconds }).token,
  expires_in: accessSeconds,
  refresh_token: issueToken(host, { kind: 'refresh', holder: userId, seconds: refreshSeconds }).token,
  refresh_token_expires_in: refreshSeconds,
  token_type: 'bearer',
  scope: '',
});

const accessSeconds = 28_800; // both as on GitHub
const refreshSeconds = 15_897_600;

const failure = (error: string, description: string) => ({
  error,
  error_description: description,
  error_uri: 'https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors',
});

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

const authorizePage = (host: Host, { client_id, redirect_uri, state, code_challenge }: OAuthQuery) => html`
<p>Sightline wants to know who you are. On the real GitHub you would be signed in; here you choose.</p>
${peopleForm(host, '/login/oauth/authorize', { client_id, redirect_uri, state, code_challenge })}`;
