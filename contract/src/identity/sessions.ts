import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { instant, text } from '../core/text.ts';

/** A browser in which the account is signed in. */
export const session = z.object({
  id: z.string(),
  /** The one that asks. */
  current: z.boolean(),
  /** 'Firefox 128'; empty where it cannot be told. */
  browser: z.string(),
  /** 'Windows 11'; empty where it cannot be told. */
  system: z.string(),
  device: z.enum(['desktop', 'phone', 'tablet', 'other']),
  /** IP address of the last visit. */
  address: z.string().nullable(),
  startedAt: instant,
  /** To within ten minutes: a session is seen when its token is renewed. */
  lastSeenAt: instant,
});
export type Session = z.infer<typeof session>;

export const listSessions = endpoint({
  method: 'GET',
  path: '/v2/account/sessions',
  summary: 'Lists the sessions of the account, the current one first, then by last use.',
  scope: 'account',
  topics: ['ownAccount'],
  response: z.array(session),
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/v2/account/sessions/:sessionId',
  summary: 'Ends a session and returns the remaining ones.',
  scope: 'account',
  params: z.strictObject({ sessionId: z.uuid() }),
  changes: ['ownAccount'],
  response: z.array(session),
});

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/v2/account/sessions',
  summary: 'Ends all other sessions and returns the remaining one.',
  scope: 'account',
  changes: ['ownAccount'],
  response: z.array(session),
});

/** How an account can prove once more who it is. `sign-in` goes through the sign-in page, for an account with nothing else. */
export const proofs = ['password', 'code', 'passkey', 'sign-in'] as const;
export type Proof = (typeof proofs)[number];

const reauthentication = z.object({
  /** A change with `stepUp` would be refused with `reauthentication_required` now. */
  needed: z.boolean(),
  proofs: z.array(z.enum(proofs)),
});
export type Reauthentication = z.infer<typeof reauthentication>;

export const getReauthentication = endpoint({
  method: 'GET',
  path: '/v2/account/reauthentication',
  summary: 'Returns whether a change that requires a recent sign-in needs reauthentication, and the available methods.',
  scope: 'account',
  response: reauthentication,
});

/** What a browser's passkey call takes or gives, as WebAuthn spells it in JSON. */
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
    z.strictObject({ password: text(1000).min(1) }),
    z.strictObject({ code: text(100).min(1) }),
    z.strictObject({ passkey: webauthnJson }),
  ]),
  response: reauthentication,
  errors: ['rate_limited', 'conflict'],
});
