import * as client from 'openid-client';
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
import { type IdentityProvider, type IdentityProviderUser, UpstreamRefused } from './upstream.ts';

const MAX_AGE_SECONDS = 300;

type IdTokenClaims = Record<string, unknown>;

/** Sign-in by Google or another OpenID Connect issuer. Reads the discovery document at the first sign-in. */
export function createOidcLogin(config: UpstreamConfig): IdentityProvider {
  const { connection, kind, label, sandbox } = config;
  let discovered: Promise<client.Configuration> | undefined;
  const discover = (): Promise<client.Configuration> => {
    discovered ??= client
      .discovery(new URL(config.url), config.clientId, undefined, client.ClientSecretPost(config.clientSecret), {
        timeout: TIMEOUT_SECONDS,
        // Verifies the signature of the ID token in addition to TLS.
        execute: [...configurationRulesFor(config), client.enableNonRepudiationChecks],
      })
      .catch((error: unknown) => {
        // Retries at the next sign-in, so that a temporary failure of the issuer is not cached.
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
        ...(fresh && reauthenticationParameters(kind)),
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
        // With max_age, the issuer must return auth_time (OpenID Connect Core 1.0, section 2). Google ignores max_age.
        if (fresh && kind !== 'google') refuseStale(claims.auth_time);
        const merged: IdTokenClaims = { ...(await userInfoOf(issuer, tokens.access_token, claims)), ...claims };
        return personFrom(config, merged, claims.sub);
      } catch (error) {
        throw upstreamRefusal(error);
      }
    },
  };
}

// Google supports neither the login prompt nor max_age.
const reauthenticationParameters = (kind: IdentityProvider['kind']): Record<string, string> =>
  kind === 'google' ? { prompt: 'select_account' } : { prompt: 'login', max_age: '0' };

function refuseStale(authTime: unknown): void {
  if (typeof authTime !== 'number' || Date.now() / 1000 - authTime > MAX_AGE_SECONDS) {
    throw new UpstreamRefused('the sign-in is too long ago');
  }
}

// Some issuers omit the email address in the ID token.
async function userInfoOf(issuer: client.Configuration, token: string, claims: client.IDToken): Promise<IdTokenClaims> {
  if (claims.email !== undefined || !issuer.serverMetadata().userinfo_endpoint) return {};
  return client.fetchUserInfo(issuer, token, claims.sub);
}

function personFrom(
  { connection, kind, trustEmail, groupsClaim }: UpstreamConfig,
  merged: IdTokenClaims,
  subject: string,
): IdentityProviderUser {
  const email = normalizeEmail(cleanProfileText(merged.email, 320) ?? '');
  const emailVerified =
    email !== undefined && (trustEmail || merged.email_verified === true || merged.email_verified === 'true');
  const nickname = cleanProfileText(merged.preferred_username) ?? cleanProfileText(merged.nickname);
  const name = cleanProfileText(merged.name) ?? nickname ?? email ?? subject.slice(0, 200);
  return {
    connection,
    provider: kind === 'google' ? 'google-oauth2' : 'oidc',
    subject,
    name,
    email,
    emailVerified,
    verifiedEmails: emailVerified && email !== undefined ? [email] : [],
    profile: withoutUndefined({
      name,
      nickname,
      email,
      html_url: sanitizeUrl(merged.profile),
      picture: sanitizeUrl(merged.picture),
    }),
    login: undefined,
    groups: groupsClaim === undefined ? undefined : groupsOf(merged[groupsClaim]),
  };
}

const MAX_GROUPS = 1_000;

/**
 * The groups in a claim: names or IDs, in a list or as one text. Undefined for another form: Microsoft Entra ID omits the
 * claim of users with very many groups, which must not look like a user without any.
 */
function groupsOf(claim: unknown): readonly string[] | undefined {
  const list = typeof claim === 'string' ? [claim] : claim;
  if (!Array.isArray(list) || list.length > MAX_GROUPS || !list.every((one) => typeof one === 'string'))
    return undefined;
  return list.filter((name) => name !== '' && name.length <= 200);
}
