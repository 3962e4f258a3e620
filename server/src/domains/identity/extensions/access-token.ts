import { importJWK, SignJWT } from 'jose';
import type { SigningKeys } from '#core/signing-keys.ts';
import { extensionAudienceOf, issuerOf } from '#core/tokens.ts';

export interface Bearer {
  grantId: string;
  accountId: string;
  email: string;
  orgId: string;
}

export type SignAccessToken = (bearer: Bearer) => Promise<{ accessToken: string; expiresAt: string }>;

const minutes = 10;

/**
 * Signs access tokens of extensions. They contain the grant as their session, so that they are rejected as soon as the
 * grant ends.
 */
export function createAccessTokenSigner({ private: { keys } }: SigningKeys, publicUrl: string): SignAccessToken {
  const [first] = keys;
  if (!first) throw new Error('No signing key available.');
  const key = importJWK(first, 'RS256');
  return async ({ grantId, accountId, email, orgId }) => {
    const now = Math.floor(Date.now() / 1000);
    const accessToken = await new SignJWT({ sid: grantId, email, orgID: orgId })
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: first.kid ?? '' })
      .setSubject(accountId)
      .setIssuer(issuerOf(publicUrl))
      .setAudience(extensionAudienceOf(publicUrl))
      .setIssuedAt(now)
      .setExpirationTime(now + minutes * 60)
      .sign(await key);
    return { accessToken, expiresAt: new Date((now + minutes * 60) * 1000).toISOString() };
  };
}
