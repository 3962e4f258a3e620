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
  summary: 'The sessions of the account, the asking one first, then by last visit.',
  scope: 'account',
  response: z.array(session),
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/v2/account/sessions/:sessionId',
  summary: 'Signs one session out at once; answers those that are left.',
  scope: 'account',
  params: z.strictObject({ sessionId: z.uuid() }),
  response: z.array(session),
});

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/v2/account/sessions',
  summary: 'Signs every session but the asking one out at once; answers those that are left.',
  scope: 'account',
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
  summary: 'Whether the session must prove who it is before a change that needs a recent sign-in, and how it can.',
  scope: 'account',
  response: reauthentication,
});

/** What a browser's passkey call takes or gives, as WebAuthn spells it in JSON. */
export const webauthnJson = z.record(z.string(), z.unknown());

export const beginPasskeyProof = endpoint({
  method: 'POST',
  path: '/v2/account/reauthentication/passkey',
  summary: 'What a browser needs to ask for one of the passkeys of the account; good for five minutes.',
  scope: 'account',
  response: webauthnJson,
});

export const reauthenticate = endpoint({
  method: 'POST',
  path: '/v2/account/reauthentication',
  summary: 'Proves who the session is, for five minutes; one of the proofs is given.',
  scope: 'account',
  body: z.union([
    z.strictObject({ password: text(1000).min(1) }),
    z.strictObject({ code: text(100).min(1) }),
    z.strictObject({ passkey: webauthnJson }),
  ]),
  response: reauthentication,
  errors: ['rate_limited', 'conflict'],
});
