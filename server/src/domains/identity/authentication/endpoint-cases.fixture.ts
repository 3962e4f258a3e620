import { changePassword, requestPasswordLink } from '@sightline/contract/identity/passwords.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';
import { seededPassword } from '../../../architecture/factors.ts';

export const endpointCases = [
  endpointCase(changePassword, {
    request: () => ({
      body: { currentPassword: seededPassword, newPassword: 'a brand new password', endOtherSessions: false },
    }),
    access: { allows: 'accounts', otherAccounts: 409, except: { otherOwner: 'ok', intruder: 'ok' } },
    writes: ['login.password_changed'],
  }),
  endpointCase(requestPasswordLink, {
    access: { allows: 'accounts' },
    writesNothing: 'Sends an email. Following its link is audited.',
  }),
];
