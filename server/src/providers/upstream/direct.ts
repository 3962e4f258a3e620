import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { z } from 'zod';
import { normalizeEmail } from '#core/email-address.ts';
import type { DirectConfig } from '../../config-logins.ts';
import { cleanProfileText, TIMEOUT_SECONDS } from './client.ts';

/** The claims of an access token of an external issuer. */
export interface DirectClaims {
  subject: string;
  /** The session at the issuer (`sid`), if the token contains it. */
  session: string | undefined;
  /** The time of the sign-in at the issuer (`auth_time`) in epoch seconds, if the token contains it. */
  authenticatedAt: number | undefined;
  /** In epoch seconds. */
  expiresAt: number;
  /** The claim of the token, unverified. */
  organization: string | undefined;
  email: string | undefined;
  emailVerified: boolean;
  name: string | undefined;
}

export interface DirectIssuer {
  /** Verifies a token; undefined if it is invalid. Throws if the keys of the issuer are unavailable. */
  verify: (token: string) => Promise<DirectClaims | undefined>;
  /** Reads the user from the userinfo endpoint, if the token does not contain it. */
  askWho: (token: string) => Promise<Pick<DirectClaims, 'email' | 'emailVerified' | 'name'>>;
}

const metadata = z.object({ issuer: z.string(), jwks_uri: z.url(), userinfo_endpoint: z.url().optional() });
const claim = (claims: Record<string, unknown>, name: string): string | undefined =>
  cleanProfileText(claims[name], 320);

/** Verifies access tokens of an external issuer by its published keys: RS256, issuer and audience. */
export function createDirectIssuer(config: DirectConfig): DirectIssuer {
  const { issuer, audience, orgClaim, emailClaim } = config;
  let discovered: Promise<{ keys: ReturnType<typeof createRemoteJWKSet>; userinfo: string | undefined }> | undefined;
  const discover = () => {
    discovered ??= readJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
      .then((document) => {
        const found = metadata.parse(document);
        if (found.issuer !== issuer) throw new Error(`OIDC_ISSUER calls itself ${found.issuer}`);
        return { keys: createRemoteJWKSet(new URL(found.jwks_uri)), userinfo: found.userinfo_endpoint };
      })
      .catch((error: unknown) => {
        discovered = undefined;
        throw error;
      });
    return discovered;
  };
  const personOf = (claims: Record<string, unknown>) => ({
    email: normalizeEmail(claim(claims, emailClaim) ?? ''),
    emailVerified: claims.email_verified === true || claims.email_verified === 'true',
    name: claim(claims, 'name'),
  });

  return {
    async verify(token) {
      const { keys } = await discover();
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer,
          audience,
          algorithms: ['RS256'],
          requiredClaims: ['sub', 'exp'],
        });
        const { sub = '', exp = 0, auth_time: authTime } = payload;
        if (sub === '' || sub.length > 255) return undefined;
        return {
          subject: sub,
          expiresAt: exp,
          organization: claim(payload, orgClaim),
          session: claim(payload, 'sid'),
          authenticatedAt: typeof authTime === 'number' ? authTime : undefined,
          ...personOf(payload),
        };
      } catch (error) {
        if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) return undefined;
        throw error;
      }
    },
    async askWho(token) {
      const { userinfo } = await discover();
      if (userinfo === undefined) return { email: undefined, emailVerified: false, name: undefined };
      return personOf(z.record(z.string(), z.unknown()).parse(await readJson(userinfo, token)));
    },
  };
}

async function readJson(url: string, token?: string): Promise<unknown> {
  const answer = await fetch(url, {
    headers: { accept: 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_SECONDS * 1000),
  });
  if (!answer.ok) throw new Error(`the issuer answered ${answer.status} at ${new URL(url).pathname}`);
  return answer.json();
}
