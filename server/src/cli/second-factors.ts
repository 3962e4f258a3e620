import { resetSecondFactors } from '../domains/identity/second-factors/reset.ts';
import { findAccountByEmail } from './accounts.ts';
import { command } from './command.ts';
import { withServices } from './command-resources.ts';
import { operatorActorFor } from './operator.ts';

export const resetSecondFactorsCommand = command({
  name: 'user reset-factors',
  description:
    'Removes the second factors of a user who lost them, and ends their sessions. Verify the identity of the user first.',
  valueName: ['ADDRESS'],
  options: {},
  run: async ({ words: [address = ''] }) =>
    withServices(async (services) => {
      const account = await findAccountByEmail(services, address);
      const removed = await resetSecondFactors(services, operatorActorFor(account));
      return {
        json: { user: { id: account.id, email: account.email, removed } },
        lines: [
          removed
            ? `${account.email} signs in without a second factor from now on.`
            : `${account.email} has no second factor.`,
        ],
      };
    }),
});
