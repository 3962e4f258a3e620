import { generateKeyPair, importJWK, type JWTHeaderParameters, SignJWT, UnsecuredJWT } from 'jose';
import { loadSigningKeys } from '#core/signing-keys.ts';
import { audienceOf, issuerOf } from '#core/tokens.ts';
import type { TestAccount, TestServer } from '#testing/server.ts';

/** Tokens for an account and an organization that look valid and are not. */
export interface BadTokens {
  expired: string;
  forged: string;
  algNone: string;
  wrongAudience: string;
  wrongIssuer: string;
  /** Signed by this server, but not an access token. */
  wrongType: string;
  /** Signed with the public key as a symmetric secret. */
  confusedKey: string;
  noSubject: string;
  notYet: string;
  /** A valid token whose organization was replaced after signing. */
  tampered: string;
}

export async function badTokens(
  server: TestServer,
  account: TestAccount,
  orgId: string,
  expiredAt?: number,
): Promise<BadTokens> {
  const { config, services } = server;
  const [signer] = (await loadSigningKeys(services.database, services.secrets)).private.keys;
  if (!signer) throw new Error('no signing key');
  const kid = signer.kid ?? '';
  const issuer = issuerOf(config.PUBLIC_URL);
  const audience = audienceOf(config.PUBLIC_URL);
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    sub: account.id,
    iss: issuer,
    aud: audience,
    iat: now - 60,
    exp: now + 600,
    email: account.email,
    orgID: orgId,
  };
  const ours = await importJWK(signer, 'RS256');
  const foreign = (await generateKeyPair('RS256')).privateKey;
  const header: JWTHeaderParameters = { alg: 'RS256', typ: 'at+jwt', kid };
  const sign = (over: object, head: Partial<JWTHeaderParameters> = {}, key: Parameters<SignJWT['sign']>[0] = ours) =>
    new SignJWT({ ...claims, ...over }).setProtectedHeader({ ...header, ...head }).sign(key);
  const good = await sign({});
  const [head = '', , signature = ''] = good.split('.');
  const exchanged = Buffer.from(JSON.stringify({ ...claims, orgID: '00000000-0000-7000-8000-000000000000' }));
  return {
    expired: await sign({ iat: now - 7200, exp: expiredAt ?? now - 3600 }),
    forged: await sign({}, {}, foreign),
    algNone: new UnsecuredJWT(claims).encode(),
    wrongAudience: await sign({ aud: 'https://elsewhere.example/api' }),
    wrongIssuer: await sign({ iss: 'https://elsewhere.example/' }),
    wrongType: await sign({}, { typ: 'JWT' }),
    confusedKey: await sign({}, { alg: 'HS256' }, new TextEncoder().encode(`${signer.n}${signer.n}`)),
    noSubject: await sign({ sub: undefined }),
    notYet: await sign({ nbf: now + 3600 }),
    tampered: `${head}.${exchanged.toString('base64url')}.${signature}`,
  };
}
