import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { boundedText, timestamp } from '../core/text.ts';

/** A browser in which the account is signed in. */
export const session = z.object({
  id: z.string(),
  /** The session of this request. */
  current: z.boolean(),
  /** 'Firefox 128'; empty if unknown. */
  browser: z.string(),
  /** 'Windows 11'; empty if unknown. */
  system: z.string(),
  device: z.enum(['desktop', 'phone', 'tablet', 'other']),
  /** IP address of the last visit. */
  address: z.string().nullable(),
  startedAt: timestamp,
  /** Accurate to ten minutes: updated when the token is renewed. */
  lastSeenAt: timestamp,
});
export type Session = z.infer<typeof session>;

export const listSessions = endpoint({
  method: 'GET',
  path: '/v2/account/sessions',
  summary: 'Lists the sessions of the account, the current one first, then by last use.',
  scope: 'account',
  response: z.array(session),
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/v2/account/sessions/:sessionId',
  summary: 'Ends a session and returns the remaining ones.',
  scope: 'account',
  params: z.strictObject({ sessionId: z.uuid() }),
  response: z.array(session),
});

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/v2/account/sessions',
  summary: 'Ends all other sessions and returns the remaining one.',
  scope: 'account',
  response: z.array(session),
});

/** Methods of reauthentication. `sign-in` uses the sign-in page, for an account without other methods. */
export const reauthenticationMethods = ['password', 'code', 'passkey', 'sign-in'] as const;
export type ReauthenticationMethod = (typeof reauthenticationMethods)[number];

const reauthentication = z.object({
  /** Whether a change with `stepUp` would now fail with `reauthentication_required`. */
  needed: z.boolean(),
  proofs: z.array(z.enum(reauthenticationMethods)),
});
export type Reauthentication = z.infer<typeof reauthentication>;

export const getReauthentication = endpoint({
  method: 'GET',
  path: '/v2/account/reauthentication',
  summary: 'Returns whether a change that requires a recent sign-in needs reauthentication, and the available methods.',
  scope: 'account',
  response: reauthentication,
});

/** Input or output of a passkey operation, in WebAuthn's JSON format. */
export const webauthnJson = z.record(z.string(), z.unknown());

export const beginPasskeyProof = endpoint({
  method: 'POST',
  path: '/v2/account/reauthentication/passkey',
  summary: 'Returns the options to request a passkey of the account, valid for five minutes.',
  scope: 'account',
  response: webauthnJson,
});

export const reauthenticate = endpoint({
  method: 'POST',
  path: '/v2/account/reauthentication',
  summary: 'Reauthenticates the session for five minutes with one of the methods.',
  scope: 'account',
  body: z.union([
    z.strictObject({ password: boundedText(1000).min(1) }),
    z.strictObject({ code: boundedText(100).min(1) }),
    z.strictObject({ passkey: webauthnJson }),
  ]),
  response: reauthentication,
  errors: ['rate_limited', 'conflict'],
});
