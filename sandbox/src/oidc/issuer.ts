import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, importPKCS8, type JWK, SignJWT } from 'jose';
import type { User } from '../git/users.ts';
import type { Host } from '../github/host.ts';
import type { SandboxOptions } from '../options.ts';

export const issuerPath = '/oidc';

/** The content of a code or refresh token. Times are epoch seconds. */
export type Grant = {
  user: User;
  clientId: string;
  redirectUri: string;
  challenge: string;
  nonce: string | undefined;
  audience: string | undefined;
  organization: string | undefined;
  scope: string;
  /** Undefined if the issuer omits the time of the sign-in. */
  authTime: number | undefined;
  /** The session at the issuer, which its access tokens name. */
  sid: string | undefined;
};

/** An OpenID Connect issuer for the users of the sandbox. */
export type Issuer = {
  host: Host;
  callbackUrls: string[];
  codes: Map<string, Grant>;
  refreshTokens: Map<string, Grant>;
  accessTokens: Map<string, User>;
  /** The groups of users by login, for the claim `groups`. */
  groups: Map<string, readonly string[]>;
  publicKey: JWK;
  sign: (claims: Record<string, unknown>, subject: string, audience: string) => Promise<string>;
};

/** Signs with the app's key, so that tokens remain valid across restarts; without the private key, with a new one. */
export const createIssuer = async (host: Host, options: SandboxOptions): Promise<Issuer> => {
  const key = await importPKCS8(options.privateKeyPem ?? newKey(), 'RS256', { extractable: true });
  const { kty, n, e } = await exportJWK(key);
  const publicKey = {
    kty,
    n,
    e,
    kid: await calculateJwkThumbprint({ kty, n, e } as JWK),
    alg: 'RS256',
    use: 'sig',
  };
  return {
    host,
    callbackUrls: options.oidcCallbackUrls ?? [],
    codes: new Map(),
    refreshTokens: new Map(),
    accessTokens: new Map(),
    groups: new Map(),
    publicKey: publicKey as JWK,
    sign: (claims, subject, audience) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: publicKey.kid })
        .setSubject(subject)
        .setIssuer(issuerOf(host))
        .setAudience(audience)
        .setJti(randomUUID())
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(key),
  };
};

export const issuerOf = ({ url }: Host): string => `${url}${issuerPath}`;

/** The claims of a user. */
export const claimsOf = ({ url }: Host, { id, login, name, emails, unverified = [] }: User) => ({
  name,
  nickname: login,
  preferred_username: login,
  picture: `${url}/avatars/u/${id}?v=4`,
  ...(emails[0] === undefined ? {} : { email: emails[0], email_verified: !unverified.includes(emails[0]) }),
});

export const subjectOf = ({ id }: User): string => `sandbox|${id}`;

export const randomToken = (): string => randomBytes(24).toString('base64url');

const newKey = (): string =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
