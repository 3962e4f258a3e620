import * as client from 'openid-client';
import { z } from 'zod';
import { normalizeEmail } from '#core/email-address.ts';
import type { UpstreamConfig } from '../../config-logins.ts';
import {
  cleanProfileText,
  configurationRulesFor,
  sanitizeUrl,
  TIMEOUT_SECONDS,
  upstreamRefusal,
  withoutUndefined,
} from './client.ts';
import type { IdentityProvider, IdentityProviderUser } from './upstream.ts';

const user = z.object({
  id: z.number().int().positive(),
  login: z.string().min(1).max(100),
  name: z.string().nullish(),
  html_url: z.string().nullish(),
  avatar_url: z.string().nullish(),
});
const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** Sign-in by GitHub with OAuth 2.0: without discovery and ID token. Email addresses are read from the API. */
export function createGithubLogin(config: UpstreamConfig): IdentityProvider {
  const { connection, kind, label, sandbox, url, apiUrl = '' } = config;
  const oauth = new client.Configuration(
    {
      issuer: url,
      authorization_endpoint: `${url}/login/oauth/authorize`,
      token_endpoint: `${url}/login/oauth/access_token`,
    },
    config.clientId,
    undefined,
    client.ClientSecretPost(config.clientSecret),
  );
  oauth.timeout = TIMEOUT_SECONDS;
  for (const apply of configurationRulesFor(config)) apply(oauth);

  const readApi = async (path: string, token: string): Promise<unknown> => {
    const answer = await fetch(`${apiUrl}${path}`, {
      headers: { accept: 'application/vnd.github+json', authorization: `Bearer ${token}`, 'user-agent': 'sightline' },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_SECONDS * 1000),
    });
    if (!answer.ok) throw new Error(`GitHub answered ${answer.status} to ${path.split('?')[0]}`);
    return answer.json();
  };

  return {
    connection,
    kind,
    label,
    sandbox,
    async authorizationUrl({ state, verifier }, { redirectUri, fresh }) {
      return client.buildAuthorizationUrl(oauth, {
        redirect_uri: redirectUri,
        scope: 'read:user user:email',
        state,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        // GitHub cannot request the password again, but it can request the selection of an account.
        ...(fresh && { prompt: 'select_account' }),
      }).href;
    },
    async personOf(callback, { state, verifier }) {
      const tokens = await client
        .authorizationCodeGrant(oauth, callback, { expectedState: state, pkceCodeVerifier: verifier })
        .catch((error: unknown) => {
          throw upstreamRefusal(error);
        });
      const [profile, addresses] = await Promise.all([
        readApi('/user', tokens.access_token),
        readApi('/user/emails?per_page=100', tokens.access_token),
      ]);
      return personFrom(connection, user.parse(profile), emails.parse(addresses));
    },
  };
}

function personFrom(
  connection: string,
  profile: z.output<typeof user>,
  all: z.output<typeof emails>,
): IdentityProviderUser {
  const addresses = all.flatMap((one) => {
    const email = normalizeEmail(one.email);
    return email === undefined ? [] : [{ ...one, email }];
  });
  const verified = addresses.filter((one) => one.verified);
  const best =
    verified.find((one) => one.primary) ?? verified[0] ?? addresses.find((one) => one.primary) ?? addresses[0];
  const name = cleanProfileText(profile.name) ?? profile.login;
  return {
    connection,
    provider: 'github',
    subject: String(profile.id),
    name,
    email: best?.email,
    emailVerified: best?.verified ?? false,
    verifiedEmails: verified.map(({ email }) => email),
    profile: withoutUndefined({
      name,
      nickname: profile.login,
      email: best?.email,
      html_url: sanitizeUrl(profile.html_url),
      picture: sanitizeUrl(profile.avatar_url),
    }),
    login: profile.login,
    groups: undefined,
  };
}
