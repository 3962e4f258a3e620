import { createHash } from 'node:crypto';
import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose';

/** What a verified access token says. */
export interface Claims {
  accountId: string;
  email: string;
  /** The organization the token was issued for, if one was chosen. */
  orgId: string | undefined;
  /** The session it belongs to; undefined for a token of another issuer that names none. */
  sessionId?: string | undefined;
  /** The token of an extension, whose grant is its session. */
  extension?: true;
  /** Seconds since the epoch. */
  expiresAt: number;
}

export type VerifyToken = (token: string) => Promise<Claims | undefined>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const rememberedFor = 60_000;
const remembered = 50_000;

/** What tokens are verified with. */
export interface VerifyingKeys {
  find: JWTVerifyGetKey;
  /** Another one as soon as the keys are others: what was verified with those of before is verified anew. */
  version: () => string;
}

/**
 * Verifies RS256 access tokens: signature, issuer, audience, type, expiry. Answers undefined for any other token.
 * A good token is remembered for up to a minute under its hash, since a signature costs thirty times a hash.
 */
export const createVerifier = (keys: VerifyingKeys, issuer: string, audience: string): VerifyToken =>
  remembering((token) => verify(token, keys.find, issuer, audience), keys.version);

/** Verifies the tokens of extensions, which have an audience of their own: every other verifier refuses them. */
export function createExtensionVerifier(keys: VerifyingKeys, publicUrl: string): VerifyToken {
  const verifyOne = createVerifier(keys, issuerOf(publicUrl), extensionAudienceOf(publicUrl));
  return async (token) => {
    const claims = await verifyOne(token);
    return claims && { ...claims, extension: true };
  };
}

/** Asks again only after a minute, when the token ends, or as soon as `version` is another. What was refused is asked again at once. */
export function remembering(verifyAnew: VerifyToken, version: () => string = () => ''): VerifyToken {
  const known = new Map<string, { claims: Claims; until: number }>();
  let knownFor = version();
  return async (token) => {
    if (version() !== knownFor) {
      known.clear();
      knownFor = version();
    }
    const digest = createHash('sha256').update(token).digest('base64');
    const now = Date.now();
    const found = known.get(digest);
    if (found && now < found.until) return found.claims;
    const claims = await verifyAnew(token);
    if (!claims) return undefined;
    if (known.size >= remembered) known.clear();
    known.set(digest, { claims, until: Math.min(now + rememberedFor, claims.expiresAt * 1000) });
    return claims;
  };
}

async function verify(
  token: string,
  keys: JWTVerifyGetKey,
  issuer: string,
  audience: string,
): Promise<Claims | undefined> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: ['RS256'],
      typ: 'at+jwt',
      requiredClaims: ['sub', 'exp'],
    });
    const { sub, exp, email, orgID, sid } = payload;
    if (typeof sub !== 'string' || !uuid.test(sub) || typeof exp !== 'number') return undefined;
    return {
      accountId: sub,
      email: typeof email === 'string' ? email : '',
      orgId: typeof orgID === 'string' && uuid.test(orgID) ? orgID : undefined,
      sessionId: typeof sid === 'string' && uuid.test(sid) ? sid : undefined,
      expiresAt: exp,
    };
  } catch (error) {
    // Only what jose says about the token is the token's fault; a failed key lookup is ours and must surface.
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** The issuer of our own identity provider; Auth0's clients insist on the trailing slash. */
export const issuerOf = (publicUrl: string) => `${publicUrl}/oidc/`;
/** What an access token for our API is for. */
export const audienceOf = (publicUrl: string) => `${publicUrl}/api`;
/** The audience of an extension's access tokens: the calls and sockets that extensions may use. */
export const extensionAudienceOf = (publicUrl: string) => `${publicUrl}/api/extension`;
