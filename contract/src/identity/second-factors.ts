import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { boundedText, timestamp } from '../core/text.ts';
import { webauthnJson } from './sessions.ts';

export const recoveryCodeCount = 10;
export const passkeysMax = 20;
export const passkeyNameMax = 60;

export const secondFactors = z.object({
  /** The authenticator app. */
  totp: z.object({ addedAt: timestamp }).nullable(),
  passkeys: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      addedAt: timestamp,
      lastUsedAt: timestamp.nullable(),
      /** The device syncs the passkey to a cloud account, so that it survives loss of the device. */
      synced: z.boolean(),
    }),
  ),
  /** Number of unused codes; null before the first factor. */
  recoveryCodesLeft: z.number().int().nullable(),
  /** Names of the account's organizations that require a second factor. */
  requiredBy: z.array(z.string()),
});
export type SecondFactors = z.infer<typeof secondFactors>;

/** `recoveryCodes` is returned with the first factor only, and never again. */
const added = z.object({ secondFactors, recoveryCodes: z.array(z.string()).nullable() });

export const getSecondFactors = endpoint({
  method: 'GET',
  path: '/v2/account/second-factors',
  summary: 'Returns the second factors of the account.',
  scope: 'account',
  response: secondFactors,
});

export const beginTotp = endpoint({
  method: 'POST',
  path: '/v2/account/second-factors/totp/setup',
  summary: 'Returns a new secret for an authenticator app. It is stored after a code confirms it.',
  scope: 'account',
  response: z.object({
    /** Base32, for manual entry. */
    secret: z.string(),
    /** `otpauth://` URI, for a link on a phone. */
    uri: z.string(),
    /** The URI as a QR code in SVG. */
    qr: z.string(),
    /** Sent back with the code; valid for 15 minutes. */
    setup: z.string(),
  }),
  errors: ['conflict'],
  stepUp: true,
});

export const addTotp = endpoint({
  method: 'POST',
  path: '/v2/account/second-factors/totp',
  summary: 'Adds the authenticator app that generated this code.',
  scope: 'account',
  body: z.strictObject({ setup: boundedText(2000), code: boundedText(20) }),
  status: 201,
  response: added,
  errors: ['conflict', 'rate_limited'],
  stepUp: true,
});

export const removeTotp = endpoint({
  method: 'DELETE',
  path: '/v2/account/second-factors/totp',
  summary: 'Removes the authenticator app. The last factor cannot be removed while an organization requires one.',
  scope: 'account',
  response: secondFactors,
  errors: ['conflict', 'not_found'],
  stepUp: true,
});

export const beginPasskey = endpoint({
  method: 'POST',
  path: '/v2/account/second-factors/passkeys/setup',
  summary: 'Returns the options to create a passkey, valid for five minutes.',
  scope: 'account',
  response: webauthnJson,
  errors: ['conflict'],
  stepUp: true,
});

export const addPasskey = endpoint({
  method: 'POST',
  path: '/v2/account/second-factors/passkeys',
  summary: 'Adds a passkey that the browser created.',
  scope: 'account',
  body: z.strictObject({ name: boundedText(passkeyNameMax).trim().min(1), passkey: webauthnJson }),
  status: 201,
  response: added,
  errors: ['conflict'],
  stepUp: true,
});

export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/v2/account/second-factors/passkeys/:passkeyId',
  summary: 'Removes a passkey. The last factor cannot be removed while an organization requires one.',
  scope: 'account',
  params: z.strictObject({ passkeyId: z.uuid() }),
  response: secondFactors,
  errors: ['conflict'],
  stepUp: true,
});

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/v2/account/second-factors/recovery-codes',
  summary: 'Creates ten recovery codes. Earlier codes stop working.',
  scope: 'account',
  response: z.object({ secondFactors, recoveryCodes: z.array(z.string()) }),
  errors: ['conflict'],
  stepUp: true,
});
