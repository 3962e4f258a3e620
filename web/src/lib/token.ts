import { type Permission, permissions } from '@sightline/contract/core/permissions.ts';
import { z } from 'zod';

/** The account and organization of an access token. For rendering only; the server decides. */
export interface TokenSession {
  accountId: string;
  email: string;
  /** The organization of the token; undefined while none is selected. */
  organization: string | undefined;
  /** Role names: 'Account Owner'. */
  roles: readonly string[];
  permissions: readonly Permission[];
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** Reads the claims of a token; undefined for a foreign format. Does not verify the token, which the server does. */
export function readToken(token: string | undefined): TokenSession | undefined {
  const { data } = claims.safeParse(payloadOf(token ?? ''));
  if (!data) return undefined;
  return {
    accountId: data.sub,
    email: data.email,
    organization: data.orgID,
    roles: data.authorization.roles,
    permissions: permissions.filter((name) => data.authorization.permissions.includes(name)),
    expiresAt: data.exp * 1000,
  };
}

const claims = z.object({
  sub: z.string().min(1),
  exp: z.number(),
  email: z.string().default(''),
  orgID: z.string().optional(),
  authorization: z
    .object({ roles: z.array(z.string()).default([]), permissions: z.array(z.string()).default([]) })
    .prefault({}),
});

function payloadOf(token: string): unknown {
  try {
    const payload = atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(payload, (byte) => byte.charCodeAt(0))));
  } catch {
    return undefined;
  }
}
