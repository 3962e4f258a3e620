import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { isBelow, withQuery } from '../github/oauth.ts';
import { html, sendPage } from '../github/page.ts';
import { type FormFields, peopleForm, personOf } from '../github/people-form.ts';
import { type GitlabInstance, type GitlabScope, type GitlabToken, instancePath, secret } from './instance.ts';

/**
 * The authorization server: it requires PKCE, access tokens are valid for two hours, and a refresh revokes both former
 * tokens. The client is that of the app.
 */
export const oauthRoutes = (server: FastifyInstance, instance: GitlabInstance): void => {
  server.get<{ Querystring: FormFields }>(`${instancePath}/oauth/authorize`, async ({ query }, reply) => {
    const problem = problemOf(instance, query);
    if (problem !== undefined) return sendPage(reply, 'An error has occurred', html`<p>${problem}</p>`, 400);
    return sendPage(reply, 'Authorize Sightline', authorizePage(instance, query));
  });
  server.post<{ Body: FormFields }>(`${instancePath}/oauth/authorize`, async ({ body }, reply) => {
    const problem = problemOf(instance, body);
    if (problem !== undefined) return sendPage(reply, 'An error has occurred', html`<p>${problem}</p>`, 400);
    const { redirect_uri: redirectUri = '', state } = body;
    const user = personOf(instance.host, body);
    if (user === undefined) return reply.redirect(withQuery(redirectUri, { ...denied, state }), 303);
    const code = secret(32);
    const granted = { challenge: body.code_challenge ?? '', scopes: scopesIn(body.scope) };
    instance.codes.set(code, { userId: user.id, redirectUri, ...granted, expiresAt: Date.now() + 600_000 });
    return reply.redirect(withQuery(redirectUri, { code, state }), 303);
  });
  server.post<{ Body: FormFields | undefined }>(`${instancePath}/oauth/token`, async ({ body = {} }, reply) => {
    const answer = exchange(instance, body);
    const status = 'error' in answer ? (answer.error === 'invalid_client' ? 401 : 400) : 200;
    return reply.code(status).header('cache-control', 'no-store').send(answer);
  });
  server.post<{ Body: FormFields | undefined }>(`${instancePath}/oauth/revoke`, async ({ body = {} }) => {
    const { tokens } = instance.kept;
    for (const [access, { refresh }] of Object.entries(tokens)) {
      if (access === body.token || refresh === body.token) delete tokens[access];
    }
    instance.save();
    return {};
  });
};

const lifetime = 7200;
const known: readonly string[] = ['api', 'read_api', 'read_user'];

const scopesIn = (text = 'api'): GitlabScope[] =>
  text.split(/\s+/).filter((scope): scope is GitlabScope => known.includes(scope));

const denied = {
  error: 'access_denied',
  error_description: 'The resource owner or authorization server denied the request.',
};

const problemOf = ({ host, callbackUrls }: GitlabInstance, query: FormFields): string | undefined => {
  const { client_id, redirect_uri = '', response_type, code_challenge, code_challenge_method, scope } = query;
  if (client_id !== host.app.clientId) return 'Client authentication failed due to unknown client.';
  if (!callbackUrls.some((url) => isBelow(redirect_uri, url))) return 'The redirect URI included is not valid.';
  if (response_type !== 'code') return 'The authorization server does not support this response type.';
  if (!code_challenge || code_challenge_method !== 'S256') return 'Code challenge is required.';
  return (scope ?? 'api').split(/\s+/).every((one) => known.includes(one))
    ? undefined
    : 'The requested scope is invalid, unknown, or malformed.';
};

const exchange = (instance: GitlabInstance, fields: FormFields): Record<string, string | number> => {
  const { app } = instance.host;
  if (fields.client_id !== app.clientId || fields.client_secret !== app.clientSecret) return failure('invalid_client');
  if (fields.grant_type === 'refresh_token') return refresh(instance, fields.refresh_token ?? '');
  const code = instance.codes.get(fields.code ?? '');
  instance.codes.delete(fields.code ?? '');
  const challenge = createHash('sha256')
    .update(fields.code_verifier ?? '')
    .digest('base64url');
  const isGood = code?.challenge === challenge && code.redirectUri === fields.redirect_uri;
  if (!isGood || code.expiresAt <= Date.now()) return failure('invalid_grant');
  return issue(instance, code.userId, code.scopes);
};

const refresh = (instance: GitlabInstance, given: string): Record<string, string | number> => {
  const { tokens } = instance.kept;
  const found = Object.entries(tokens).find(([, token]) => token.refresh === given);
  if (found === undefined) {
    // Reused, so it may be stolen: the token that it yielded is revoked too.
    delete tokens[instance.spent.get(given) ?? ''];
    instance.save();
    return failure('invalid_grant');
  }
  const [access, { userId, scopes }] = found;
  delete tokens[access];
  const answer = issue(instance, userId, scopes);
  instance.spent.set(given, String(answer.access_token));
  return answer;
};

const issue = (
  { kept, save }: GitlabInstance,
  userId: number,
  scopes: GitlabScope[],
): Record<string, string | number> => {
  const [access, renewal] = [secret(32), secret(32)];
  const token: GitlabToken = { userId, scopes, expiresAt: Date.now() + lifetime * 1000, refresh: renewal };
  kept.tokens[access] = token;
  save();
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: lifetime,
    refresh_token: renewal,
    scope: scopes.join(' '),
    created_at: Math.floor(Date.now() / 1000),
  };
};

const failure = (error: string) => ({
  error,
  error_description:
    error === 'invalid_client'
      ? 'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.'
      : 'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
});

const authorizePage = (instance: GitlabInstance, query: FormFields) => {
  const { client_id, redirect_uri, response_type, state, scope, code_challenge, code_challenge_method } = query;
  const hiddenFields = { client_id, redirect_uri, response_type, state, scope, code_challenge, code_challenge_method };
  return html`
<p>Sightline wants to use GitLab in your name. On the real GitLab you would be signed in; here you choose.</p>
${peopleForm(instance.host, `${instancePath}/oauth/authorize`, hiddenFields)}`;
};
