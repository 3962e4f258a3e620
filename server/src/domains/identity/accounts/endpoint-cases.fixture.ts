import {
  completeOnboarding,
  getAccount,
  hideTips,
  registerAccount,
  resendVerification,
  updateAccountDescription,
} from '@sightline/contract/identity/accounts.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(completeOnboarding, {
    access: { allows: 'accounts' },
    writesNothing: 'Changes a preference of the member only.',
  }),
  endpointCase(getAccount, {
    access: { allows: 'accounts' },
  }),
  endpointCase(hideTips, {
    access: { allows: 'accounts' },
    writesNothing: 'Changes a preference of the member only.',
  }),
  endpointCase(registerAccount, {
    request: () => ({ body: { alias: 'ada' } }),
    access: { allows: 'accounts' },
    writesNothing:
      'Changes nothing for an active member. The first sign-in of an accepted member is audited: see accounts/routes.test.ts.',
  }),
  endpointCase(resendVerification, {
    request: () => ({ body: { userId: 'unknown' } }),
    access: { allows: 'everyone' },
    writesNothing: 'Sends an email again and changes no data of an organization.',
  }),
  endpointCase(updateAccountDescription, {
    request: () => ({ body: { displayName: 'Olga the Owner', company: 'Quokka' } }),
    access: { allows: 'accounts' },
    writes: ['account.described'],
  }),
];
