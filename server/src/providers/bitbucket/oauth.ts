import { z } from 'zod';
import { HostRefused } from '#providers/code-host.ts';
import type { HostOAuth } from '#providers/connectable.ts';
import type { Renew, Tokens } from '#providers/grants.ts';
import type { BitbucketConfig } from '../../config-bitbucket.ts';

/** What we ask with, and for how long. */
export interface BitbucketOAuth extends HostOAuth {
  renew: Renew;
}

const timeout = 15_000;

const answer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().nullish(),
  expires_in: z.number().positive().nullish(),
  // Bitbucket's name for it, and that of the standard.
  scopes: z.string().nullish(),
  scope: z.string().nullish(),
});

/** Undefined where the operator has given no OAuth consumer. */
export function createOAuth({ url, client }: BitbucketConfig): BitbucketOAuth | undefined {
  if (!client) return undefined;
  const trade = async (fields: Record<string, string>, before: string | null): Promise<Tokens> => {
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
    const { access_token: secret, refresh_token: refresh, ...rest } = answer.parse(await response.json());
    return {
      secret,
      // The one we have stays good where no other comes.
      refresh: refresh ?? before,
      expiresAt: rest.expires_in ? new Date(Date.now() + rest.expires_in * 1000) : null,
      scopes: (rest.scopes ?? rest.scope ?? '').split(/\s+/).filter((scope) => scope !== ''),
    };
  };

  return {
    // Bitbucket knows no PKCE: the consumer's secret is what proves who exchanges a code.
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
      trade({ grant_type: 'authorization_code', code, redirect_uri: redirectURI }, null),
    renew: (_, refresh) => trade({ grant_type: 'refresh_token', refresh_token: refresh }, refresh),
  };
}
