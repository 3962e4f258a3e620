import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { boundedText, sitePath } from '../core/text.ts';

/** The connection for an email address with a password (spec 9). */
export const passwordConnection = 'Username-Password-Authentication';

/** Spec 5: for the identity used for this login, and for the only one. */
export const unlinkRefusedMessage = "You can't disconnect identity you used for login";

/** Seconds for which a sign-in counts as recent. Changes with `stepUp` and both accounts of a link require one. */
export const freshSignInSeconds = 300;

/** Profile data of an identity provider, limited to what the UI shows. */
export const profileData = z.object({
  name: z.string().optional(),
  nickname: z.string().optional(),
  email: z.string().optional(),
  html_url: z.string().optional(),
  picture: z.string().optional(),
});
export type ProfileData = z.infer<typeof profileData>;

/** One sign-in method of the account. */
export const loginIdentity = z.object({
  /** `<connection>|<user_id>`, as accepted for unlinking. */
  id: z.string(),
  /** `github`, `google-oauth2`, `Username-Password-Authentication`, or the operator's name of an OIDC issuer. */
  connection: z.string(),
  /** Display name of the connection: 'GitHub'. */
  label: z.string(),
  provider: z.string(),
  user_id: z.string(),
  profileData,
  connectedAt: z.string().nullable(),
  /** Whether the session of this token began with it. */
  usedForLogin: z.boolean(),
  /** Why it cannot be disconnected; null if it can. */
  blocked: z.string().nullable(),
});
export type LoginIdentity = z.infer<typeof loginIdentity>;

/** Why an identity cannot be disconnected: it was used for this login, or is the only one. Null if it can. */
export const unlinkRefusalReason = (usedForLogin: boolean, identities: number): string | null =>
  usedForLogin || identities <= 1 ? unlinkRefusedMessage : null;

export const listIdentities = endpoint({
  method: 'GET',
  path: '/v2/auth/identities',
  summary: 'Lists the login identities of the caller and whether each can be disconnected.',
  scope: 'account',
  topics: ['ownAccount'],
  response: z.array(loginIdentity),
});

export const connection = z.object({
  connection: z.string(),
  label: z.string(),
  kind: z.enum(['github', 'google', 'oidc', 'saml', 'password']),
  /** True if the identity provider is the local sandbox. */
  sandbox: z.boolean(),
});
export type Connection = z.infer<typeof connection>;

export const listConnections = endpoint({
  method: 'GET',
  path: '/v2/auth/public/connections',
  summary: 'Lists the sign-in methods of this server.',
  scope: 'public',
  response: z.array(connection),
});

export const startLink = endpoint({
  method: 'POST',
  path: '/v2/auth/link',
  summary:
    'Starts linking another login identity to the account of the caller. The browser continues at url and ends at /link.',
  scope: 'account',
  body: z.strictObject({
    connection: boundedText(60).min(1),
    /** Path to continue at after /link. */
    path: sitePath.default('/'),
  }),
  response: z.object({ url: z.string() }),
  errors: ['not_found', 'rate_limited'],
  stepUp: true,
});

export const listSimilarAccounts = endpoint({
  method: 'GET',
  path: '/v2/auth/similar-accounts',
  summary: 'Lists other accounts that share a confirmed email address with the caller, masked.',
  scope: 'account',
  flag: 'accountLinking',
  response: z.array(z.object({ connection: z.string(), email: z.string() })),
  errors: ['forbidden'],
});
export type SimilarAccount = z.infer<typeof listSimilarAccounts.response>[number];

export const unlinkIdentity = endpoint({
  method: 'PUT',
  path: '/v2/auth/unlink/:id',
  summary: 'Disconnects a login identity of the caller and returns the remaining ones.',
  scope: 'account',
  params: z.strictObject({ id: boundedText(400).min(1) }),
  changes: ['ownAccount'],
  response: z.array(loginIdentity),
  errors: ['not_found', 'conflict'],
  stepUp: true,
});
