import { createHash, randomBytes } from 'node:crypto';
import type { TestServer } from '#testing/server.ts';
import type { SandboxUser } from './logins.ts';

const audience = 'https://api.sightline.example';
const redirectUri = 'http://localhost:1/auth';
const clientId = 'sightline-pages';

/** The environment of a server in direct mode with `issuer` as its external issuer. */
export const directEnvironment = (issuer: string): Record<string, string> => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: clientId,
  OIDC_AUDIENCE: audience,
});

export interface TenantTokens {
  access_token: string;
  refresh_token?: string;
}

/** The external issuer of a server in direct mode, as used by its single-page client. */
export interface Tenant {
  /** Signs a person in; `extra` contains further parameters of the authorization request. */
  signIn: (person: SandboxUser, extra?: Record<string, string>) => Promise<TenantTokens>;
  refresh: (refreshToken: string) => Promise<TenantTokens>;
}

export function createTenant(issuer: string): Tenant {
  const { origin } = new URL(issuer);
  const askToken = async (grant: Record<string, string>): Promise<TenantTokens> => {
    const answer = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: { origin },
      body: new URLSearchParams({ client_id: clientId, ...grant }),
    });
    return (await answer.json()) as TenantTokens;
  };
  return {
    async signIn({ verified, ...fields }, extra = {}) {
      const verifier = randomBytes(32).toString('base64url');
      const parameters = {
        client_id: clientId,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        audience,
        ...extra,
      };
      const back = await fetch(`${issuer}/authorize`, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin },
        body: new URLSearchParams({ ...parameters, ...fields, ...(verified !== false && { verified: 'yes' }) }),
      });
      const code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? '';
      return askToken({ grant_type: 'authorization_code', redirect_uri: redirectUri, code, code_verifier: verifier });
    },
    refresh: (refreshToken) => askToken({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  };
}

/** Exchanges a token for one of the server; `body` names the organization and the invitation. */
export async function exchangeTenantToken(server: TestServer, token: string, body: object = {}) {
  const answer = await fetch(`${server.url}/oidc/direct/token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { access_token: exchanged = '', code } = (await answer.json()) as { access_token?: string; code?: string };
  return { status: answer.status, token: exchanged, code };
}
