import * as client from 'openid-client';
import { normalEmail } from '#core/email-address.ts';
import type { UpstreamConfig } from '../../config-logins.ts';
import { clean, cleanUrl, present, refusalOf, rulesFor, timeout } from './client.ts';
import { type Upstream, type UpstreamPerson, UpstreamRefused } from './upstream.ts';

const freshSeconds = 300;

type IdTokenClaims = Record<string, unknown>;

/** Google, or any issuer that speaks OpenID Connect. It is asked how it wants to be spoken to at the first sign-in. */
export function createOidcLogin(config: UpstreamConfig): Upstream {
  const { connection, kind, label, sandbox } = config;
  let discovered: Promise<client.Configuration> | undefined;
  const discover = (): Promise<client.Configuration> => {
    discovered ??= client
      .discovery(new URL(config.url), config.clientId, undefined, client.ClientSecretPost(config.clientSecret), {
        timeout,
        // Beside TLS, the signature of the ID token too.
        execute: [...rulesFor(config), client.enableNonRepudiationChecks],
      })
      .catch((error: unknown) => {
        // Asked again at the next sign-in: an issuer that was down must not stay so for us.
        discovered = undefined;
        throw error;
      });
    return discovered;
  };

  return {
    connection,
    kind,
    label,
    sandbox,
    async authorizationUrl({ state, verifier, nonce }, { redirectUri, fresh }) {
      return client.buildAuthorizationUrl(await discover(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(fresh && freshly(kind)),
      }).href;
    },
    async personOf(callback, { state, verifier, nonce }, { fresh }) {
      const issuer = await discover();
      try {
        const tokens = await client.authorizationCodeGrant(issuer, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new UpstreamRefused('no_id_token');
        // With max_age an issuer must say when (OpenID Connect Core 1.0, section 2); Google knows no age.
        if (fresh && kind !== 'google') refuseStale(claims.auth_time);
        const said: IdTokenClaims = { ...(await moreOf(issuer, tokens.access_token, claims)), ...claims };
        return personFrom(config, said, claims.sub);
      } catch (error) {
        throw refusalOf(error);
      }
    },
  };
}

// Google knows neither a login prompt nor an age.
const freshly = (kind: Upstream['kind']): Record<string, string> =>
  kind === 'google' ? { prompt: 'select_account' } : { prompt: 'login', max_age: '0' };

function refuseStale(authTime: unknown): void {
  if (typeof authTime !== 'number' || Date.now() / 1000 - authTime > freshSeconds) {
    throw new UpstreamRefused('the sign-in is too long ago');
  }
}

// Some issuers keep the address out of the ID token.
async function moreOf(issuer: client.Configuration, token: string, claims: client.IDToken): Promise<IdTokenClaims> {
  if (claims.email !== undefined || !issuer.serverMetadata().userinfo_endpoint) return {};
  return client.fetchUserInfo(issuer, token, claims.sub);
}

function personFrom(
  { connection, kind, trustEmail }: UpstreamConfig,
  said: IdTokenClaims,
  subject: string,
): UpstreamPerson {
  const email = normalEmail(clean(said.email, 320) ?? '');
  const emailVerified =
    email !== undefined && (trustEmail || said.email_verified === true || said.email_verified === 'true');
  const nickname = clean(said.preferred_username) ?? clean(said.nickname);
  const name = clean(said.name) ?? nickname ?? email ?? subject.slice(0, 200);
  return {
    connection,
    provider: kind === 'google' ? 'google-oauth2' : 'oidc',
    subject,
    name,
    email,
    emailVerified,
    verifiedEmails: emailVerified && email !== undefined ? [email] : [],
    profile: present({ name, nickname, email, html_url: cleanUrl(said.profile), picture: cleanUrl(said.picture) }),
    login: undefined,
  };
}
