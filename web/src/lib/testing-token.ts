import { createClient } from '@sightline/contract/core/client.ts';
import { getAccount } from '@sightline/contract/identity/accounts.ts';
import { forgetSession, keepToken } from './session.ts';
import { store } from './storage.ts';

/**
 * Begins a session of user testing with a token from elsewhere (spec 2.1). The server is asked first whose it is: for a
 * token that is good for nothing this rejects, and what the browser keeps stays as it was.
 */
export async function beginTesting(token: string): Promise<void> {
  const ask = createClient({ baseUrl: '/api', token: () => token, fetch: (...request) => window.fetch(...request) });
  await ask(getAccount, {});
  forgetSession();
  // Before the token: a session of user testing renews nothing.
  store('userTesting', 'true');
  keepToken(token);
}
