import {
  addPasskey,
  addTotp,
  beginPasskey,
  beginTotp,
  getSecondFactors,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
} from '@sightline/contract/identity/second-factors.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(addPasskey, {
    request: ({ newPasskey }) => ({ body: { name: 'A key', passkey: newPasskey } }),
    access: { allows: 'accounts', otherAccounts: 400 },
    recentSignIn: true,
    writes: ['login.second_factor_added'],
  }),
  endpointCase(addTotp, {
    request: ({ totpSetup, totpCode }) => ({
      body: { setup: totpSetup, code: totpCode() },
    }),
    // A setup of one account is invalid input from another.
    access: { allows: 'accounts', otherAccounts: 400 },
    recentSignIn: true,
    writes: ['login.second_factor_added'],
  }),
  endpointCase(beginPasskey, {
    access: { allows: 'accounts' },
    recentSignIn: true,
    writesNothing: 'Creates a challenge for the browser and stores nothing.',
  }),
  endpointCase(beginTotp, {
    access: { allows: 'accounts' },
    recentSignIn: true,
    writesNothing: 'Creates a secret that is not stored before it is confirmed.',
  }),
  endpointCase(getSecondFactors, {
    access: { allows: 'accounts' },
  }),
  endpointCase(removePasskey, {
    request: ({ passkeyId }) => ({ params: { passkeyId } }),
    access: { allows: 'accounts', otherAccounts: 404 },
    recentSignIn: true,
    writes: ['login.second_factor_removed'],
  }),
  endpointCase(removeTotp, {
    access: { allows: 'accounts', otherAccounts: 404 },
    recentSignIn: true,
    scene: 'totp',
    writes: ['login.second_factor_removed'],
  }),
  endpointCase(renewRecoveryCodes, {
    access: { allows: 'accounts', otherAccounts: 409, except: { otherOwner: 'ok', intruder: 'ok' } },
    recentSignIn: true,
    writes: ['login.recovery_codes_renewed'],
  }),
];
