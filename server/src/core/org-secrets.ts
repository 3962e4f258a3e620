import { createHash, randomBytes } from 'node:crypto';

/** The prefix of a kind of secret and its number of random bytes. */
export interface SecretKind {
  prefix: string;
  bytes: number;
}

const orgBytes = 16;

/**
 * Creates a secret that contains the organization ID, so that it can be looked up there. Only the hash may be stored.
 */
export function createOrgSecret({ prefix, bytes }: SecretKind, orgId: string): { secret: string; hash: Buffer } {
  const org = Buffer.from(orgId.replaceAll('-', ''), 'hex');
  const secret = `${prefix}${Buffer.concat([org, randomBytes(bytes)]).toString('base64url')}`;
  return { secret, hash: secretHash(secret) };
}

/** The organization ID in a secret; undefined for a secret of another kind. */
export function organizationOfSecret({ prefix, bytes }: SecretKind, secret: string): string | undefined {
  if (!secret.startsWith(prefix)) return undefined;
  const given = Buffer.from(secret.slice(prefix.length), 'base64url');
  if (given.length !== orgBytes + bytes) return undefined;
  const hex = given.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

export const secretHash = (secret: string): Buffer => createHash('sha256').update(secret).digest();
