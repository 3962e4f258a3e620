import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '#core/json.ts';
import type { Outbound } from '#core/outbound.ts';
import { HostRefused } from '#providers/code-host.ts';
import type { HostOAuth } from '#providers/connectable.ts';
import type { Tokens } from '#providers/grants.ts';
import { refusalMessageIn } from './transport.ts';

/** The application that an operator registered with a GitLab instance. */
interface Client {
  baseURL: string;
  clientId: string;
  clientSecret: string;
}

export interface GitlabOAuth extends HostOAuth {
  /**
   * Exchanges a refresh token for new tokens, which revokes both old ones: store the result before use. Throws
   * HostRefused for an invalid refresh token, and Error without a response.
   */
  renew: (refreshToken: string) => Promise<Tokens>;
}

const answer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).nullish(),
  expires_in: z.number().positive().nullish(),
  scope: z.string().nullish(),
});

/** Reading needs `read_api`, creating webhooks needs `api`. GitLab has no scope in between. */
const scope = 'api';

export function createOAuth(outbound: Outbound, client: Client): GitlabOAuth {
  const { baseURL, clientId, clientSecret } = client;

  const requestTokens = async (fields: Record<string, string>): Promise<Tokens> => {
    const form = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...fields });
    const { status, body } = await outbound.fetch('baseURL', `${baseURL}/oauth/token`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    });
    if (status === 429 || status >= 500) throw new Error(`GitLab answered ${status}`);
    if (status !== 200) throw new HostRefused(status, `GitLab took neither code nor token: ${refusalMessageIn(body)}`);
    const found = answer.parse(parseJson(body));
    return {
      secret: found.access_token,
      refresh: found.refresh_token ?? null,
      expiresAt: found.expires_in ? new Date(Date.now() + found.expires_in * 1000) : null,
      scopes: (found.scope ?? '').split(/\s+/).filter((one) => one !== ''),
    };
  };

  return {
    authorizationURL(redirectURI, state, verifier) {
      const url = new URL(`${baseURL}/oauth/authorize`);
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      url.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectURI,
        response_type: 'code',
        state,
        scope,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }).toString();
      return url.href;
    },
    exchange: ({ code, redirectURI, verifier }) =>
      requestTokens({ grant_type: 'authorization_code', code, redirect_uri: redirectURI, code_verifier: verifier }),
    renew: (refreshToken) => requestTokens({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  };
}
