import { createClient } from '@sightline/contract/core/client.ts';
import { getAccount } from '@sightline/contract/identity/accounts.ts';
import { clearSession, startSession } from './session.ts';
import { setStored } from './storage.ts';

/**
 * Starts a user testing session with an external token (spec 2.1). Validates it on the server first; rejects for an
 * invalid token without changing the storage.
 */
export async function startUserTesting(token: string): Promise<void> {
  const ask = createClient({ baseUrl: '/api', token: () => token, fetch: (...request) => window.fetch(...request) });
  await ask(getAccount, {});
  clearSession();
  // Before the token, since a user testing session is not renewed.
  setStored('userTesting', 'true');
  startSession(token);
}
