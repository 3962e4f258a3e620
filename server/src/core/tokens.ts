import { hash } from 'node:crypto';
import { mcpPath } from '@sightline/contract/platform/mcp.ts';
import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose';

/** The claims of a verified access token. */
export interface Claims {
  accountId: string;
  email: string;
  /** The organization that the token was issued for, if one was selected. */
  orgId: string | undefined;
  /** The session of the token; undefined if another issuer does not name one. */
  sessionId?: string | undefined;
  /** The token belongs to an extension, whose grant is its session. */
  extension?: true;
  /** The grant of the MCP client that the token belongs to, besides the session in which it was approved. */
  grantId?: string | undefined;
  /** Seconds since the epoch. */
  expiresAt: number;
}

export type VerifyToken = (token: string) => Promise<Claims | undefined>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const cacheMs = 60_000;
const remembered = 50_000;

/** The keys that verify tokens. */
export interface VerifyingKeys {
  find: JWTVerifyGetKey;
  /** Changes with the keys, so that tokens verified with earlier keys are verified again. */
  version: () => string;
}

/**
 * Verifies RS256 access tokens: signature, issuer, audience, type, expiry. Returns undefined for an invalid token.
 * Caches a valid token by its hash for up to a minute, since a signature costs thirty times as much as a hash.
 */
export const createVerifier = (keys: VerifyingKeys, issuer: string, audience: string): VerifyToken =>
  cacheVerifiedTokens((token) => verify(token, keys.find, issuer, audience), keys.version);

/** Verifies tokens of extensions, which have their own audience: every other verifier rejects them. */
export function createExtensionVerifier(keys: VerifyingKeys, publicUrl: string): VerifyToken {
  const verifyOne = createVerifier(keys, issuerOf(publicUrl), extensionAudienceOf(publicUrl));
  return async (token) => {
    const claims = await verifyOne(token);
    return claims && { ...claims, extension: true };
  };
}

/** Caches valid tokens for a minute, until they expire or until `version` changes. Rejected tokens are not cached. */
export function cacheVerifiedTokens(verifyAnew: VerifyToken, version: () => string = () => ''): VerifyToken {
  const known = new Map<string, { claims: Claims; until: number }>();
  let knownFor = version();
  return async (token) => {
    if (version() !== knownFor) {
      known.clear();
      knownFor = version();
    }
    const digest = hash('sha256', token, 'base64');
    const now = Date.now();
    const found = known.get(digest);
    if (found && now < found.until) return found.claims;
    const claims = await verifyAnew(token);
    if (!claims) return undefined;
    // Outdated entries come first, since a renewed one moves to the end.
    known.delete(digest);
    for (const [first, { until }] of known) {
      if (now < until && known.size < remembered) break;
      known.delete(first);
    }
    known.set(digest, { claims, until: Math.min(now + cacheMs, claims.expiresAt * 1000) });
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
    const { sub, exp, email, orgID, sid, grant } = payload;
    if (typeof sub !== 'string' || !uuid.test(sub) || typeof exp !== 'number') return undefined;
    return {
      accountId: sub,
      email: typeof email === 'string' ? email : '',
      orgId: typeof orgID === 'string' && uuid.test(orgID) ? orgID : undefined,
      sessionId: typeof sid === 'string' && uuid.test(sid) ? sid : undefined,
      ...(typeof grant === 'string' && uuid.test(grant) && { grantId: grant }),
      expiresAt: exp,
    };
  } catch (error) {
    // Errors of jose are caused by the token; a failed key lookup is an internal error and must surface.
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** The issuer of our own identity provider. Clients of Auth0 require the trailing slash. */
export const issuerOf = (publicUrl: string) => `${publicUrl}/oidc/`;
/** The audience of access tokens for the API. */
export const audienceOf = (publicUrl: string) => `${publicUrl}/api`;
/** The resource of the MCP server, and the audience of its tokens (RFC 8707): every other verifier rejects them. */
export const mcpResourceOf = (publicUrl: string) => `${publicUrl}${mcpPath}`;
/** The audience of extension tokens: the calls and sockets that extensions may use. */
export const extensionAudienceOf = (publicUrl: string) => `${publicUrl}/api/extension`;
