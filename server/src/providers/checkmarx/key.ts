import { z } from 'zod';
import { expiredKey, invalidKey, wrongTenant } from './problems.ts';

/** The claims of an API key, which is a token of the identity provider of Checkmarx One. */
export interface KeyFacts {
  /** The URL of the identity provider without a trailing slash; undefined if the key does not contain it. */
  iam: string | undefined;
  clientId: string;
}

const text = z.string().optional().catch(undefined);
const claims = z.object({
  iss: text,
  aud: z.union([text, z.array(z.string()).transform(([first]) => first)]).catch(undefined),
  azp: text,
  exp: z.number().optional().catch(undefined),
});

const realm = /^(.+?)\/auth\/realms\/([^/]+)\/?$/;

/**
 * Reads a key without verification: only Checkmarx One can verify its signature. Throws ScannerProblem for an invalid
 * or expired key, and for one of another tenant.
 */
export function readApiKey(tenant: string, apiKey: string): KeyFacts {
  const { iss, aud, azp, exp } = claimsOf(apiKey) ?? {};
  if (claimsOf(apiKey) === undefined) throw invalidKey('This is not an API key of Checkmarx One.');
  const [, iam, own] = realm.exec(iss ?? '') ?? realm.exec(aud ?? '') ?? [];
  if (own !== undefined && own.toLowerCase() !== tenant.toLowerCase()) throw wrongTenant(tenant, own);
  // Zero means that the key does not expire.
  if (exp !== undefined && exp !== 0 && exp * 1000 < Date.now()) throw expiredKey();
  return { iam, clientId: azp ?? 'ast-app' };
}

const accessClaims = z.object({ 'ast-base-url': z.string().min(1).optional().catch(undefined) });

/** The base URL of the API in an access token. */
export const baseUrlIn = (accessToken: string): string | undefined =>
  accessClaims.safeParse(payloadOf(accessToken)).data?.['ast-base-url'];

const claimsOf = (token: string) => claims.safeParse(payloadOf(token)).data;

function payloadOf(token: string): unknown {
  const parts = token.split('.');
  if (parts.length !== 3 || !parts.every((part) => /^[A-Za-z0-9_-]+=*$/.test(part))) return undefined;
  try {
    return JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString());
  } catch {
    return undefined;
  }
}
