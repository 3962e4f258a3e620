import { createClient } from '@sightline/contract/core/client.ts';
import { getAccount } from '@sightline/contract/identity/accounts.ts';
import { forgetSession, keepToken } from './session.ts';
import { store } from './storage.ts';

/**
 * Starts a user testing session with an external token (spec 2.1). Validates it on the server first; rejects for an
 * invalid token without changing the storage.
 */
export async function beginTesting(token: string): Promise<void> {
  const ask = createClient({ baseUrl: '/api', token: () => token, fetch: (...request) => window.fetch(...request) });
  await ask(getAccount, {});
  forgetSession();
  // Before the token, since a user testing session is not renewed.
  store('userTesting', 'true');
  keepToken(token);
}
