import {
  beginPasskeyProof,
  endOtherSessions,
  endSession,
  getReauthentication,
  listSessions,
  reauthenticate,
} from '@sightline/contract/identity/sessions.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';
import { seededRecoveryCode } from '../../../architecture/factors.ts';

export const endpointCases = [
  endpointCase(beginPasskeyProof, {
    access: { allows: 'accounts' },
    writesNothing: 'Creates a challenge for the browser and stores nothing.',
  }),
  endpointCase(endOtherSessions, {
    access: { allows: 'accounts' },
    writes: ['login.session_ended'],
  }),
  endpointCase(endSession, {
    request: ({ sessionId }) => ({ params: { sessionId } }),
    access: { allows: 'accounts', otherAccounts: 404 },
    writes: ['login.session_ended'],
  }),
  endpointCase(getReauthentication, {
    access: { allows: 'accounts' },
  }),
  endpointCase(listSessions, {
    access: { allows: 'accounts' },
  }),
  endpointCase(reauthenticate, {
    request: () => ({ body: { code: seededRecoveryCode } }),
    // Only the owners have a second factor and a password.
    access: { allows: 'accounts', otherAccounts: 409, except: { otherOwner: 'ok', intruder: 'ok' } },
    writes: ['login.second_factor_passed'],
  }),
];
