import { inviteMembers } from '@sightline/contract/organization/invitations.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareTestServer, type TestServer } from '#testing/server.ts';
import { endpoints } from '../domains/platform/documentation/endpoints.ts';
import { endpointCases } from './endpoint-cases.ts';
import { endpointKeyOf, exampleRequestOf, payloadOf, requestNamesOf, requestUrlOf } from './requests.ts';
import { seedOrganization } from './seed.ts';
import type { Seed } from './seeded.ts';

/** Actions that protect against an abandoned or stolen session: each requires a sign-in within five minutes. */
const needRecentSignIn = endpointCases
  .filter(({ recentSignIn }) => recentSignIn)
  .map(({ endpoint }) => endpointKeyOf(endpoint));

let server: TestServer;
let seed: Seed;
beforeAll(async () => {
  server = await shareTestServer();
  seed = await seedOrganization(server, 'quokka');
  await signInAt(new Date(Date.now() - 301_000));
});
afterAll(() => server.close());

const signInAt = (at: Date) =>
  server.services.database.global(({ db }) =>
    db.updateTable('account_session').set({ authenticated_at: at }).where('id', '=', seed.org.owner.id).execute(),
  );

/** Sends a valid request of an owner, optionally with another body. */
async function send(key: string, body?: object) {
  const endpoint = endpoints.find((one) => endpointKeyOf(one) === key);
  if (!endpoint) throw new Error(`no endpoint ${key}`);
  const input = { ...exampleRequestOf(endpoint, requestNamesOf(seed)), ...(body && { body }) };
  const { headers, ...sent } = payloadOf(endpoint, input);
  const token = await server.token(seed.org.owner, endpoint.scope === 'account' ? undefined : seed.org.id);
  const answer = await server.app.inject({
    method: endpoint.method,
    url: requestUrlOf(endpoint, input),
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...sent,
  });
  return { status: answer.statusCode, code: answer.json<{ code?: string }>().code };
}

test('names every endpoint that needs a recent sign-in', () => {
  const declared = endpoints.filter(({ stepUp }) => stepUp);
  expect(declared.map(endpointKeyOf).toSorted()).toEqual(needRecentSignIn.toSorted());
  // Access keys and extensions have no recent sign-in.
  expect(declared.filter(({ accessKey, extension, scope }) => accessKey || extension || scope === 'public')).toEqual(
    [],
  );
});

test.each(needRecentSignIn)('%s refuses a session without a recent sign-in', async (key) => {
  const invitation = { invite: { emails: ['owner@example.org'], roleID: 'rol_owner' } };
  const body = key === endpointKeyOf(inviteMembers) ? invitation : undefined;
  expect(await send(key, body)).toEqual({ status: 403, code: 'reauthentication_required' });
});

test('invites members other than owners without a recent sign-in', async () => {
  const invite = server.as(seed.org.owner, seed.org.id);
  for (const roleID of ['rol_contributor', 'rol_reviewer'] as const) {
    const emails = [`${roleID.slice(4)}@example.org`];
    expect(await invite(inviteMembers, { body: { invite: { emails, roleID } } })).toMatchObject({ skipped: [] });
  }
});
