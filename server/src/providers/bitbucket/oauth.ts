import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import type { HostOAuth } from '#providers/connectable.ts';
import type { RenewTokens, Tokens } from '#providers/grants.ts';
import type { BitbucketConfig } from '../../config-bitbucket.ts';

/** OAuth for Bitbucket, with renewal of access tokens. */
export interface BitbucketOAuth extends HostOAuth {
  renew: RenewTokens;
}

const timeout = 15_000;

const answer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().nullish(),
  expires_in: z.number().positive().nullish(),
  // The name in Bitbucket, and the one of the standard.
  scopes: z.string().nullish(),
  scope: z.string().nullish(),
});

/** Undefined if the operator configured no OAuth consumer. */
export function createOAuth({ url, client }: BitbucketConfig): BitbucketOAuth | undefined {
  if (!client) return undefined;
  const requestTokens = async (fields: Record<string, string>, before: string | null): Promise<Tokens> => {
    const response = await fetch(`${url}/site/oauth2/access_token`, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
      headers: {
        authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`,
        accept: 'application/json',
      },
      body: new URLSearchParams(fields),
    });
    if (response.status >= 500 || response.status === 429) throw new Error(`Bitbucket answered ${response.status}`);
    if (!response.ok) throw new HostRefused(response.status, 'Bitbucket rejected the code or refresh token.');
    const { access_token: secret, refresh_token: refresh, ...granted } = answer.parse(await response.json());
    return {
      secret,
      // The current refresh token stays valid if the response has no new one.
      refresh: refresh ?? before,
      expiresAt: granted.expires_in ? new Date(Date.now() + granted.expires_in * 1000) : null,
      scopes: (granted.scopes ?? granted.scope ?? '').split(/\s+/).filter((scope) => scope !== ''),
    };
  };

  return {
    // Bitbucket does not support PKCE: the secret of the consumer authenticates the exchange of the code.
    authorizationURL(redirectURI, state) {
      const target = new URL(`${url}/site/oauth2/authorize`);
      target.search = new URLSearchParams({
        client_id: client.id,
        response_type: 'code',
        redirect_uri: redirectURI,
        state,
      }).toString();
      return target.href;
    },
    exchange: ({ code, redirectURI }) =>
      requestTokens({ grant_type: 'authorization_code', code, redirect_uri: redirectURI }, null),
    renew: (_, refresh) => requestTokens({ grant_type: 'refresh_token', refresh_token: refresh }, refresh),
  };
}
