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
    writesNothing: 'What one person likes to see.',
  }),
  endpointCase(getAccount, {
    access: { allows: 'accounts' },
  }),
  endpointCase(hideTips, {
    access: { allows: 'accounts' },
    writesNothing: 'What one person likes to see.',
  }),
  endpointCase(registerAccount, {
    request: () => ({ body: { alias: 'ada' } }),
    access: { allows: 'accounts' },
    writesNothing: 'Arriving is audited where a member was only accepted: see accounts/routes.test.ts.',
  }),
  endpointCase(resendVerification, {
    request: () => ({ body: { userId: 'nobody' } }),
    access: { allows: 'everyone' },
    writesNothing: 'Sends a mail again; nothing of an organization changes.',
  }),
  endpointCase(updateAccountDescription, {
    request: () => ({ body: { displayName: 'Olga the Owner', company: 'Quokka' } }),
    access: { allows: 'accounts' },
    writes: ['account.described'],
  }),
];
