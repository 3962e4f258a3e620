import { type Permission, permissions } from '@sightline/contract/core/permissions.ts';
import { z } from 'zod';

/** Who is signed in, and for which organization, as the access token says. The server decides; this only draws. */
export interface TokenSession {
  accountId: string;
  email: string;
  /** The organization the token was issued for; undefined while none is chosen. */
  organization: string | undefined;
  /** Role names: 'Account Owner'. */
  roles: readonly string[];
  permissions: readonly Permission[];
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** Reads the claims of a token; undefined for anything that is not one of ours. Verifies nothing: that is the server's. */
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
