import type { FastifyInstance } from 'fastify';
import { isBelow, withQuery } from '../github/oauth.ts';
import { html, sendPage } from '../github/page.ts';
import { type FormFields, peopleForm, personOf } from '../github/people-form.ts';
import { claimsOf, type Issuer, issuerOf, issuerPath, randomToken, subjectOf } from './issuer.ts';
import { answerTokenRequest } from './token-endpoint.ts';

type AuthorizeRoute = { Querystring: FormFields };
type Posted = { Body: FormFields | undefined };

/** An OpenID Connect issuer below /oidc: discovery, keys, the page where users select an account, token endpoint. */
export const oidcRoutes = (server: FastifyInstance, issuer: Issuer): void => {
  const { host } = issuer;
  server.get(`${issuerPath}/.well-known/openid-configuration`, async (_, reply) =>
    allowAllOrigins(reply).send(discoveryOf(issuerOf(host))),
  );
  server.get(`${issuerPath}/jwks`, async (_, reply) => allowAllOrigins(reply).send({ keys: [issuer.publicKey] }));

  server.get<AuthorizeRoute>(`${issuerPath}/authorize`, async ({ query }, reply) => {
    const target = targetOf(issuer, query);
    if (target === undefined) return sendPage(reply, 'Not found', unknownClient, 404);
    const problem = problemOf(query);
    if (problem !== undefined) return reply.redirect(withQuery(target, { error: problem, state: query.state }), 302);
    return sendPage(reply, 'Sign in', signInPage(issuer, query));
  });
  server.post<Posted>(`${issuerPath}/authorize`, async ({ body = {} }, reply) => {
    const target = targetOf(issuer, body);
    if (target === undefined || problemOf(body) !== undefined) return sendPage(reply, 'Not found', unknownClient, 404);
    const user = personOf(host, body);
    if (user === undefined)
      return reply.redirect(withQuery(target, { error: 'access_denied', state: body.state }), 303);
    if (body.groups !== undefined) issuer.groups.set(user.login, splitGroups(body.groups));
    const code = randomToken();
    issuer.codes.set(code, {
      user,
      clientId: body.client_id ?? '',
      redirectUri: target,
      challenge: body.code_challenge ?? '',
      nonce: body.nonce || undefined,
      audience: body.audience || undefined,
      organization: body.organization || undefined,
      scope: body.scope ?? 'openid',
      authTime: body.age === 'unknown' ? undefined : Math.floor(Date.now() / 1000) - Number(body.age ?? 0),
      // Some issuers omit sessions in access tokens.
      sid: body.session === 'unnamed' ? undefined : randomToken(),
    });
    return reply.redirect(withQuery(target, { code, state: body.state, iss: issuerOf(host) }), 303);
  });

  server.options(`${issuerPath}/token`, async (_, reply) => allowAllOrigins(reply).code(204).send());
  server.post<Posted>(`${issuerPath}/token`, async (request, reply) => {
    const { status, body } = await answerTokenRequest(issuer, request);
    return allowAllOrigins(reply).code(status).header('cache-control', 'no-store').send(body);
  });
  server.get(`${issuerPath}/userinfo`, async (request, reply) => {
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const user = issuer.accessTokens.get(token ?? '');
    if (user === undefined) return reply.code(401).send({ error: 'invalid_token' });
    return allowAllOrigins(reply).send({ sub: subjectOf(user), ...claimsOf(host, user) });
  });
  server.get<AuthorizeRoute>(`${issuerPath}/logout`, async ({ query }, reply) => {
    const target = query.post_logout_redirect_uri ?? '';
    if (!issuer.callbackUrls.some((url) => isBelow(target, url))) return sendPage(reply, 'Signed out', html``);
    return reply.redirect(withQuery(target, { state: query.state }), 303);
  });
};

const allowAllOrigins = <Reply extends { header: (name: string, value: string) => Reply }>(reply: Reply): Reply =>
  reply
    .header('access-control-allow-origin', '*')
    .header('access-control-allow-headers', 'authorization, content-type');

const discoveryOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  end_session_endpoint: `${issuer}/logout`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'none'],
  code_challenge_methods_supported: ['S256'],
  scopes_supported: ['openid', 'email', 'profile', 'offline_access'],
  authorization_response_iss_parameter_supported: true,
});

const unknownClient = html`<p>No client is registered with this address.</p>`;

const targetOf = ({ callbackUrls }: Issuer, { redirect_uri = '' }: FormFields): string | undefined =>
  callbackUrls.some((url) => isBelow(redirect_uri, url)) ? redirect_uri : undefined;

const problemOf = ({ response_type, code_challenge, code_challenge_method, prompt, client_id }: FormFields) => {
  if (!client_id || response_type !== 'code') return 'unsupported_response_type';
  if (!code_challenge || code_challenge_method !== 'S256') return 'invalid_request';
  // The issuer keeps no sign-in session.
  return prompt === 'none' ? 'login_required' : undefined;
};

const splitGroups = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

const keptFields = [
  ...['client_id', 'redirect_uri', 'response_type', 'scope', 'state', 'nonce', 'audience', 'organization'],
  ...['code_challenge', 'code_challenge_method'],
];

const signInPage = (issuer: Issuer, query: FormFields) => html`
<p>This stands for Google, or for the identity provider of a company. There you would be signed in; here you choose.</p>
${peopleForm(
  issuer.host,
  `${issuerPath}/authorize`,
  Object.fromEntries(keptFields.map((name) => [name, query[name]])),
  html`<label class="stacked">Signed in<select name="age"><option value="0">just now</option><option value="3600">an hour ago</option></select></label>
<label class="stacked">Groups, separated by commas<input name="groups" autocomplete="off"></label>`,
)}`;
