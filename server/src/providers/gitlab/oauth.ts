import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Outbound } from '#core/outbound.ts';
import { HostRefused } from '#providers/code-host.ts';
import { saidIn } from './transport.ts';

/** The application an operator registered with a GitLab. */
export interface GitlabClient {
  baseURL: string;
  clientId: string;
  clientSecret: string;
}

export interface GitlabTokens {
  accessToken: string;
  refreshToken: string | null;
  /** Null where it does not end by itself. */
  expiresAt: Date | null;
  scopes: string[];
}

const tokens = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).nullish(),
  expires_in: z.number().positive().nullish(),
  scope: z.string().nullish(),
});

/** Reading needs `read_api`, making webhooks `api`; GitLab has nothing between them. */
const scope = 'api';

/** A new verifier of PKCE, to be kept until the person comes back. */
export const createVerifier = (): string => randomBytes(48).toString('base64url');

/** Where a person lets us act for them; `state` comes back with a code. */
export function authorizationURL(client: GitlabClient, redirectURI: string, state: string, verifier: string): string {
  const url = new URL(`${client.baseURL}/oauth/authorize`);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const fields = {
    ...{ client_id: client.clientId, redirect_uri: redirectURI, response_type: 'code', state, scope },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
  };
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return url.href;
}

/** Turns the code a browser brought into tokens. Throws HostRefused for one that is wrong or spent. */
export const exchangeCode = (
  outbound: Outbound,
  client: GitlabClient,
  { code, redirectURI, verifier }: { code: string; redirectURI: string; verifier: string },
): Promise<GitlabTokens> =>
  ask(outbound, client, { grant_type: 'authorization_code', code, redirect_uri: redirectURI, code_verifier: verifier });

/**
 * New tokens for a refresh token, which ends both old ones: whatever comes back must be kept before it is used. Throws
 * HostRefused where it is good no more, and an ordinary Error where no answer came.
 */
export const refreshTokens = (outbound: Outbound, client: GitlabClient, refreshToken: string): Promise<GitlabTokens> =>
  ask(outbound, client, { grant_type: 'refresh_token', refresh_token: refreshToken });

async function ask(outbound: Outbound, client: GitlabClient, fields: Record<string, string>): Promise<GitlabTokens> {
  const { baseURL, clientId, clientSecret } = client;
  const form = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...fields });
  const { status, body } = await outbound.fetch('baseURL', `${baseURL}/oauth/token`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  if (status >= 400 && status < 500) throw new HostRefused(status, `GitLab took no code: ${saidIn(body)}`);
  if (status !== 200) throw new Error(`GitLab answered ${status}`);
  const found = tokens.parse(JSON.parse(body));
  return {
    accessToken: found.access_token,
    refreshToken: found.refresh_token ?? null,
    expiresAt: found.expires_in ? new Date(Date.now() + found.expires_in * 1000) : null,
    scopes: (found.scope ?? '').split(/\s+/).filter((one) => one !== ''),
  };
}
