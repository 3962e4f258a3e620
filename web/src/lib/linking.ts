import { startLink } from '@sightline/contract/identity/identities.ts';
import { call } from './api.ts';
import { storePath } from './site-path.ts';

/**
 * Starts connecting a login, or making another account one with this: the browser goes on to `url`, and comes back to
 * `path` by /link (spec 2.1), which finds it in the storage where the other side lost it.
 */
export async function beginLink(connection: string, path: string): Promise<{ url: string }> {
  const answer = await call(startLink, { body: { connection, path } });
  storePath('returnUrl', path);
  return answer;
}
