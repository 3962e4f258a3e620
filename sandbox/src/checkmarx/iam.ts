import type { FastifyInstance } from 'fastify';
import { currentKey, isKeyValid, keyNumber, newUuid, signToken, type Tenant, tenantName } from './tenant.ts';

type TokenRoute = { Params: { realm: string }; Body: Record<string, string | undefined> | undefined };

/** The identity provider of Checkmarx One: exchanges an API key, which is a refresh token, for an access token. */
export const iamRoutes = (server: FastifyInstance, tenant: Tenant): void => {
  server.post<TokenRoute>('/auth/realms/:realm/protocol/openid-connect/token', async (request, reply) => {
    // Realms are case-sensitive and lower case.
    if (request.params.realm !== tenantName) return reply.code(404).send({ error: 'Realm does not exist' });
    const { grant_type, client_id, refresh_token = '' } = request.body ?? {};
    const refuse = (error: string, error_description: string) => reply.code(400).send({ error, error_description });
    if (grant_type !== 'refresh_token') return refuse('unsupported_grant_type', 'Unsupported grant_type');
    if (client_id !== 'ast-app') return refuse('invalid_client', 'Invalid client or Invalid client credentials');
    const number = keyNumber(tenant, refresh_token);
    if (number === undefined) return refuse('invalid_grant', 'Invalid refresh token');
    if (!isKeyValid(tenant, number)) return refuse('invalid_grant', 'Offline session not active');
    const { host, secret, tokens } = tenant;
    const expires = Math.floor(Date.now() / 1000) + 1800;
    const claims = { exp: expires, jti: newUuid(), iss: `${host.url}/auth/realms/${tenantName}`, azp: 'ast-app' };
    const token = signToken(secret, { ...claims, typ: 'Bearer', tenant_name: tenantName, 'ast-base-url': host.url });
    tokens.set(token, number);
    return {
      access_token: token,
      expires_in: 1800,
      refresh_expires_in: 0,
      refresh_token: currentKey(tenant),
      token_type: 'Bearer',
      'not-before-policy': 0,
      scope: 'iam-api ast-api offline_access',
    };
  });
};
