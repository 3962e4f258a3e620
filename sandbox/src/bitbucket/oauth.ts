import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { isBelow, withQuery } from '../github/oauth.ts';
import { html, sendPage } from '../github/page.ts';
import { peopleForm, personOf } from '../github/people-form.ts';
import { allScopes, type Bitbucket, createToken } from './bitbucket.ts';

type OAuthQuery = Record<string, string | undefined>;

/** OAuth authorization: the page where users select an account, and the exchange of codes for tokens. */
export const oauthRoutes = (server: FastifyInstance, bitbucket: Bitbucket): void => {
  const { host } = bitbucket;
  const path = '/site/oauth2/authorize';

  server.get<{ Querystring: OAuthQuery }>(path, async ({ query }, reply) => {
    if (targetOf(bitbucket, query) === undefined) return sendPage(reply, 'Not found', unknown, 404);
    const { client_id, redirect_uri, state } = query;
    const body = html`
<p>Sightline wants to read workspaces, repositories and pull requests, and to make webhooks.
On the real Bitbucket you would be signed in; here you choose.</p>
${peopleForm(host, `${bitbucket.url}${path}`, { client_id, redirect_uri, state, response_type: query.response_type })}`;
    return sendPage(reply, 'Confirm access to your account', body);
  });
  server.post<{ Body: OAuthQuery }>(path, async ({ body }, reply) => {
    const target = targetOf(bitbucket, body);
    if (target === undefined) return sendPage(reply, 'Not found', unknown, 404);
    const user = personOf(host, body);
    if (user === undefined) return reply.redirect(withQuery(target, { ...denied, state: body.state }), 303);
    const code = issueCode(bitbucket, user.login, body.redirect_uri);
    return reply.redirect(withQuery(target, { code, state: body.state }), 303);
  });
  server.post<{ Body: OAuthQuery | undefined }>('/site/oauth2/access_token', async (request, reply) => {
    const fields = { ...request.body, ...basicOf(request.headers.authorization) };
    const { clientId, clientSecret } = host.app;
    if (fields.client_id !== clientId || fields.client_secret !== clientSecret) {
      return reply.code(401).send(failure('unauthorized_client', 'Invalid OAuth client credentials'));
    }
    const login = holderOf(bitbucket, fields);
    if (login === undefined) {
      return reply.code(400).send(failure('invalid_grant', 'The specified code or refresh token is not valid.'));
    }
    const expiresAt = Date.now() + accessSeconds * 1000;
    return {
      access_token: createToken(bitbucket, { kind: 'access', login, scopes: allScopes, expiresAt }),
      // Bitbucket does not rotate refresh tokens.
      refresh_token:
        fields.refresh_token ?? createToken(bitbucket, { kind: 'refresh', login, scopes: [], expiresAt: null }),
      scopes: allScopes.join(' '),
      expires_in: accessSeconds,
      token_type: 'bearer',
      state: fields.grant_type,
    };
  });
};

/** A single-use code that is valid for ten minutes. */
export const issueCode = ({ codes }: Bitbucket, login: string, redirectUri?: string): string => {
  const code = randomBytes(9).toString('base64url');
  codes.set(code, { login, redirectUri, expiresAt: Date.now() + 600_000 });
  return code;
};

const accessSeconds = 7200; // as on Bitbucket

const unknown = html`<p>No OAuth consumer has this client id, or it may not lead back to this address.</p>`;
const denied = { error: 'access_denied', error_description: 'The resource owner denied the request' };
const failure = (error: string, description: string) => ({ error, error_description: description });

const targetOf = ({ host: { app } }: Bitbucket, { client_id, redirect_uri }: OAuthQuery): string | undefined => {
  const registered = [app.callbackUrl, ...app.otherCallbackUrls].filter((url) => url !== undefined);
  const target = redirect_uri || registered[0];
  return client_id === app.clientId && registered.some((url) => target && isBelow(target, url)) ? target : undefined;
};

const basicOf = (header = ''): OAuthQuery => {
  const [, encoded] = /^basic\s+(\S+)$/i.exec(header) ?? [];
  if (encoded === undefined) return {};
  const [client_id, client_secret] = Buffer.from(encoded, 'base64').toString().split(':', 2);
  return { client_id, client_secret };
};

const holderOf = ({ codes, tokens }: Bitbucket, fields: OAuthQuery): string | undefined => {
  if (fields.grant_type === 'refresh_token') {
    const token = tokens.get(fields.refresh_token ?? '');
    return token?.kind === 'refresh' ? token.login : undefined;
  }
  const grant = fields.grant_type === 'authorization_code' ? codes.get(fields.code ?? '') : undefined;
  codes.delete(fields.code ?? '');
  const isSame = grant?.redirectUri === undefined || grant.redirectUri === fields.redirect_uri;
  return grant !== undefined && grant.expiresAt > Date.now() && isSame ? grant.login : undefined;
};
