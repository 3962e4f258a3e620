import { createClient } from '@sightline/contract/core/client.ts';
import { endSession } from '@sightline/contract/identity/sessions.ts';
import { decodeJwt } from 'jose';
import { startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { invite } from '../domains/identity/authentication/testing/people.ts';
import {
  createTenant,
  directEnvironment,
  exchangeTenantToken,
} from '../domains/identity/authentication/testing/tenant.ts';
import { restoreScene } from './scene.ts';
import type { Seed } from './seeded.ts';

/**
 * Returns tokens that a server in direct mode, on the same database, issued for tokens of its external issuer: to an
 * owner of each organization, in an ended session, and to a member who was deactivated later.
 */
export async function createExchangedTokens(server: TestServer, ours: Seed, theirs: Seed) {
  const sandbox = await startSandboxGithub([], { oidcCallbackUrls: [server.config.PUBLIC_URL] });
  const { issuer } = sandbox.sandbox;
  const direct = await startTestServer({ beside: server, environment: directEnvironment(issuer) });
  const tenant = createTenant(issuer);
  /** Signs in a new account that accepts an invitation as an owner, and returns its token. */
  const join = async (login: string, { org, moreOwners }: Seed, status: 'active' | 'deactivated' = 'active') => {
    const email = `${login}@tenant.example`;
    const { access_token: token } = await tenant.signIn({ login, email });
    const invitation = await invite(server, org.id, { email, roleId: 'rol_owner' });
    const { token: exchanged } = await exchangeTenantToken(direct, token, { organization: org.id, invitation });
    moreOwners.push([String(decodeJwt(exchanged).sub), 'rol_owner', status]);
    return exchanged;
  };
  try {
    const exchanged = await join('exchanged', ours);
    const otherExchanged = await join('other', theirs);
    const endedExchanged = await join('ended', ours);
    const shutOutExchanged = await join('deactivated', ours, 'deactivated');
    const endedBy = createClient({ baseUrl: `${server.url}/api`, token: () => endedExchanged });
    await endedBy(endSession, { params: { sessionId: String(decodeJwt(endedExchanged).sid) } });
    await restoreScene(server, ours);
    return { exchanged, otherExchanged, endedExchanged, shutOutExchanged };
  } finally {
    await direct.close();
    await sandbox.close();
  }
}
