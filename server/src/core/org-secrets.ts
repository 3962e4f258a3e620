import { createHash, randomBytes } from 'node:crypto';

/** How secrets of one sort begin, and how many random bytes each holds. */
export interface SecretKind {
  prefix: string;
  bytes: number;
}

const orgBytes = 16;

/** A new secret that names its organization, so that it can be looked up there. Only the hash is to be kept. */
export function newOrgSecret({ prefix, bytes }: SecretKind, orgId: string): { secret: string; hash: Buffer } {
  const org = Buffer.from(orgId.replaceAll('-', ''), 'hex');
  const secret = `${prefix}${Buffer.concat([org, randomBytes(bytes)]).toString('base64url')}`;
  return { secret, hash: secretHash(secret) };
}

/** The organization a secret names; undefined for what is none of this kind. */
export function orgOfSecret({ prefix, bytes }: SecretKind, secret: string): string | undefined {
  if (!secret.startsWith(prefix)) return undefined;
  const given = Buffer.from(secret.slice(prefix.length), 'base64url');
  if (given.length !== orgBytes + bytes) return undefined;
  const hex = given.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

export const secretHash = (secret: string): Buffer => createHash('sha256').update(secret).digest();
