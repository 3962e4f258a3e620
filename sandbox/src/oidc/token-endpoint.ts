import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { claimsOf, type Grant, type Issuer, randomToken, subjectOf } from './issuer.ts';

type TokenRequest = Record<string, string | undefined>;
type TokenResponse = { status: number; body: Record<string, unknown> };

/**
 * Exchanges a single-use code or refresh token for tokens. A code always requires PKCE; the client ID of the GitHub App
 * of the sandbox is a confidential client and requires its secret too.
 */
export const answerTokenRequest = async (
  issuer: Issuer,
  request: FastifyRequest<{ Body: TokenRequest | undefined }>,
): Promise<TokenResponse> => {
  const fields = request.body ?? {};
  const client = clientOf(issuer, request.headers.authorization, fields);
  if (client === undefined) return errorResponse(401, 'invalid_client');
  const grant =
    fields.grant_type === 'refresh_token' ? exchangeRefreshToken(issuer, fields) : exchangeCode(issuer, fields);
  if (grant === undefined || grant.clientId !== client) return errorResponse(400, 'invalid_grant');
  return { status: 200, body: await issueTokens(issuer, grant) };
};

const errorResponse = (status: number, error: string): TokenResponse => ({ status, body: { error } });

const exchangeCode = (
  { codes }: Issuer,
  { code = '', redirect_uri, code_verifier = '' }: TokenRequest,
): Grant | undefined => {
  const grant = codes.get(code);
  codes.delete(code);
  const challenge = createHash('sha256').update(code_verifier).digest('base64url');
  return grant?.challenge === challenge && grant.redirectUri === redirect_uri ? grant : undefined;
};

const exchangeRefreshToken = ({ refreshTokens }: Issuer, { refresh_token = '' }: TokenRequest): Grant | undefined => {
  const grant = refreshTokens.get(refresh_token);
  refreshTokens.delete(refresh_token);
  return grant && { ...grant, nonce: undefined };
};

/** Returns the client ID; undefined if its secret is wrong. Only the client ID of the GitHub App of the sandbox has one. */
const clientOf = ({ host }: Issuer, header: string | undefined, fields: TokenRequest): string | undefined => {
  const basic = /^Basic (\S+)$/i.exec(header ?? '')?.[1];
  const [id, password] =
    basic === undefined ? [] : Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent);
  const clientId = id ?? fields.client_id;
  if (clientId !== host.app.clientId) return clientId;
  const given = Buffer.from(password ?? fields.client_secret ?? '');
  const expected = Buffer.from(host.app.clientSecret);
  return given.length === expected.length && timingSafeEqual(given, expected) ? clientId : undefined;
};

const issueTokens = async (issuer: Issuer, grant: Grant): Promise<Record<string, unknown>> => {
  const { user, clientId, nonce, audience, organization, scope, authTime, sid } = grant;
  const person = claimsOf(issuer.host, user);
  const inOrg = organization === undefined ? {} : { org_name: organization };
  const groups = issuer.groups.get(user.login);
  const idToken = {
    ...person,
    ...(groups && { groups }),
    ...inOrg,
    auth_time: authTime,
    ...(nonce === undefined ? {} : { nonce }),
  };
  const accessToken =
    audience === undefined
      ? randomToken()
      : await issuer.sign(
          { ...person, ...inOrg, scope, azp: clientId, auth_time: authTime, ...(sid !== undefined && { sid }) },
          subjectOf(user),
          audience,
        );
  issuer.accessTokens.set(accessToken, user);
  const refreshToken = scope.split(' ').includes('offline_access') ? randomToken() : undefined;
  if (refreshToken !== undefined) issuer.refreshTokens.set(refreshToken, grant);
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: 3600,
    scope,
    id_token: await issuer.sign(idToken, subjectOf(user), clientId),
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
  };
};
