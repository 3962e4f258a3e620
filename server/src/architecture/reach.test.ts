import { retryImport } from '@sightline/contract/sources/repositories.ts';
import { queryEvents, recordEvents } from '@sightline/contract/timeline/events.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusalOf, shareTestServer, type TestServer } from '#testing/server.ts';
import { badTokens } from './bad-tokens.ts';
import { callEndpoint, requestNamesOf } from './requests.ts';
import { seedOrganization } from './seed.ts';
import type { Seed } from './seeded.ts';

let server: TestServer;
let ours: Seed;
let theirs: Seed;
beforeAll(async () => {
  server = await shareTestServer();
  ours = await seedOrganization(server, 'quokka');
  theirs = await seedOrganization(server, 'wombat');
});
afterAll(() => server.close());

describe('tokens', () => {
  test('of every invalid kind are rejected with the same response', async () => {
    for (const [kind, token] of Object.entries(await badTokens(server, ours.org.owner, ours.org.id))) {
      const { status, body } = await callEndpoint(server, queryEvents, token, requestNamesOf(ours));
      const { requestId: _, ...refused } = JSON.parse(body) as Record<string, unknown>;
      expect([kind, status, refused]).toEqual([
        kind,
        401,
        { code: 'unauthenticated', message: 'Sign in to continue.' },
      ]);
    }
  });

  test.each([
    '',
    'Bearer',
    'Bearer ',
    'Basic YTpi',
    'Bearer a b',
    'Bearer ..',
    `Bearer ${'a'.repeat(8000)}`,
    'Bearer null',
  ])('such as %.20j are rejected', async (authorization) => {
    const answer = await server.app.inject({ url: '/api/account/me', headers: { authorization } });
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'unauthenticated']);
  });

  test('in a URL or a cookie are ignored', async () => {
    const url = `/api/v2/auth0mgm/org?access_token=${await server.token(ours.org.owner, ours.org.id)}`;
    const answer = await server.app.inject({
      url,
      headers: { cookie: `accessToken=${await server.token(ours.org.owner, ours.org.id)}` },
    });
    expect(answer.statusCode).toBe(401);
  });

  test('with more claims than the database grants have only the permissions of the database', async () => {
    const claims = { roles: ['rol_owner'], permissions: ['manage:integrations'], isEmployee: true };
    const token = await server.token(ours.contributor, ours.org.id, claims);
    expect((await callEndpoint(server, retryImport, token, requestNamesOf(ours))).status).toBe(403);
  });
});

describe('a contributor', () => {
  const seenBy = async (account: Seed['contributor'], body: object) =>
    (await server.as(account, ours.org.id)(queryEvents, { body })).events.map((event) => event.uuid);

  test('sees only their own events, regardless of the query', async () => {
    expect(await seenBy(ours.reviewer, {})).toEqual(
      expect.arrayContaining([ours.ownerEventId, ours.contributorEventId]),
    );
    const mine = await seenBy(ours.contributor, {});
    expect(mine).toContain(ours.contributorEventId);
    expect(mine).not.toContain(ours.ownerEventId);
    const email = (address: string, predicate = 'is') => ({
      filters: [{ within: 'user', field: 'email', predicate, arguments: [address] }],
    });
    expect(await seenBy(ours.contributor, email(ours.org.owner.email))).toEqual([]);
    expect(await seenBy(ours.contributor, email(ours.contributor.email, 'is-not'))).toEqual([]);
    expect(await seenBy(ours.contributor, { query: 'quokka' })).not.toContain(ours.ownerEventId);
  });

  test('cannot send events for another account or organization', async () => {
    const item = { plugin_id: 'editor', event_type: 'other', message_id: crypto.randomUUID(), original_timestamp: '0' };
    const { accepted, rejected } = await server.as(ours.contributor, ours.org.id)(recordEvents, {
      body: [
        { ...item, user_id: ours.org.owner.id },
        { ...item, org_id: theirs.org.id },
      ],
    });
    expect(accepted).toBe(0);
    expect(rejected.map(({ code, field }) => [code, field])).toEqual([
      ['forbidden', 'user_id'],
      ['forbidden', 'org_id'],
    ]);
  });
});

test('applies a demotion at once to an existing token', async () => {
  const { org } = ours;
  const person = await server.make.member(org.id, 'rol_owner');
  const token = await server.token(person, org.id);
  expect((await callEndpoint(server, retryImport, token, requestNamesOf(ours))).status).toBe(202);
  await server.services.database.withOrg(org.id, ({ db }) =>
    db
      .updateTable('member')
      .set({ role_id: 'rol_auditor' })
      .where('org_id', '=', org.id)
      .where('account_id', '=', person.id)
      .execute(),
  );
  server.services.memberships.forget(person.id);
  expect((await callEndpoint(server, retryImport, token, requestNamesOf(ours))).status).toBe(403);
});

test('refuses an event of another organization by its id and by its context id', async () => {
  const asOther = server.as(theirs.org.owner, theirs.org.id);
  expect(await refusalOf(asOther(queryEvents, { body: { context: ours.contextId } }))).toEqual({
    status: 404,
    code: 'not_found',
  });
  const filters = [{ within: 'repository', field: 'id', predicate: 'is', arguments: [ours.repositoryId] } as const];
  expect(
    (
      await asOther(queryEvents, {
        body: { filters: filters.map((filter) => ({ ...filter, arguments: [...filter.arguments] })) },
      })
    ).events,
  ).toEqual([]);
});
