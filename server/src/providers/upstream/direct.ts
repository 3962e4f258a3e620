import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { z } from 'zod';
import { normalEmail } from '#core/email-address.ts';
import type { DirectConfig } from '../../config-logins.ts';
import { clean, timeout } from './client.ts';

/** What an outside issuer's access token says. */
export interface DirectClaims {
  subject: string;
  /** The issuer's session (`sid`), where the token names it. */
  session: string | undefined;
  /** Seconds since the epoch: when the person signed in at the issuer (`auth_time`), where the token says so. */
  authenticatedAt: number | undefined;
  /** Seconds since the epoch. */
  expiresAt: number;
  /** As it stands in the token; not looked at yet. */
  organization: string | undefined;
  email: string | undefined;
  emailVerified: boolean;
  name: string | undefined;
}

export interface DirectIssuer {
  /** Undefined for a token that is not a good one of this issuer. Throws when its keys cannot be had. */
  verify: (token: string) => Promise<DirectClaims | undefined>;
  /** Who it is, where the token itself does not say. */
  askWho: (token: string) => Promise<Pick<DirectClaims, 'email' | 'emailVerified' | 'name'>>;
}

const metadata = z.object({ issuer: z.string(), jwks_uri: z.url(), userinfo_endpoint: z.url().optional() });
const claim = (said: Record<string, unknown>, name: string): string | undefined => clean(said[name], 320);

/** Verifies the access tokens of an outside issuer by its published keys: RS256 alone, its name, our audience. */
export function createDirectIssuer(config: DirectConfig): DirectIssuer {
  const { issuer, audience, orgClaim, emailClaim } = config;
  let known: Promise<{ keys: ReturnType<typeof createRemoteJWKSet>; userinfo: string | undefined }> | undefined;
  const discover = () => {
    known ??= ask(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
      .then((said) => {
        const found = metadata.parse(said);
        if (found.issuer !== issuer) throw new Error(`OIDC_ISSUER calls itself ${found.issuer}`);
        return { keys: createRemoteJWKSet(new URL(found.jwks_uri)), userinfo: found.userinfo_endpoint };
      })
      .catch((error: unknown) => {
        known = undefined;
        throw error;
      });
    return known;
  };
  const personOf = (said: Record<string, unknown>) => ({
    email: normalEmail(claim(said, emailClaim) ?? ''),
    emailVerified: said.email_verified === true || said.email_verified === 'true',
    name: claim(said, 'name'),
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
      return personOf(z.record(z.string(), z.unknown()).parse(await ask(userinfo, token)));
    },
  };
}

async function ask(url: string, token?: string): Promise<unknown> {
  const answer = await fetch(url, {
    headers: { accept: 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    redirect: 'error',
    signal: AbortSignal.timeout(timeout * 1000),
  });
  if (!answer.ok) throw new Error(`the issuer answered ${answer.status} at ${new URL(url).pathname}`);
  return answer.json();
}
