import { startLink } from '@sightline/contract/identity/identities.ts';
import { call } from './api.ts';
import { storePath } from './site-path.ts';

/**
 * Starts connecting a login, or merging another account: the browser navigates to `url`, and returns to `path` through
 * /link (spec 2.1). The path is also stored, in case the other service loses it.
 */
export async function startLinking(connection: string, path: string): Promise<{ url: string }> {
  const answer = await call(startLink, { body: { connection, path } });
  storePath('returnUrl', path);
  return answer;
}
