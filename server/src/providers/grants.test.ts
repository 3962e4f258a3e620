import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { HostRefused } from './code-host.ts';
import { type RenewTokens, reconnectMessage, type Tokens } from './grants.ts';

let server: TestServer;
let acme: TestOrganization;
let id: string;

const inAMoment = () => new Date(Date.now() + 30_000);
const inAnHour = () => new Date(Date.now() + 3_600_000);
const tokens = (secret: string, expiresAt: Date | null): Tokens => ({
  secret,
  expiresAt,
  refresh: `refresh of ${secret}`,
  scopes: ['api'],
});
const never: RenewTokens = () => Promise.reject(new Error('unexpected renewal'));

beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  acme = await server.make.organization();
  id = await save(tokens('first', inAMoment()));
});

const save = (credentials: Tokens) =>
  server.services.database.withOrg(acme.id, (tx) =>
    server.services.grants.save(tx, acme.id, acme.owner.id, {
      provider: 'gitlab',
      baseUrl: 'https://code.example',
      kind: 'oauth',
      login: 'ada',
      display: 'Ada',
      ...credentials,
    }),
  );
const open = async (renew: RenewTokens) => {
  const grant = await server.services.grants.find(acme.id, id, renew);
  if (!grant) throw new Error('no grant');
  return grant;
};
const row = () =>
  server.services.database.withOrg(acme.id, ({ db }) =>
    db
      .selectFrom('code_host_grant')
      .where('org_id', '=', acme.id)
      .where('id', '=', id)
      .selectAll()
      .executeTakeFirstOrThrow(),
  );

test('renews an expiring grant once under concurrent requests', async () => {
  const used: string[] = [];
  const renew: RenewTokens = async (baseUrl, refresh) => {
    used.push(`${baseUrl} ${refresh}`);
    return tokens('second', inAnHour());
  };
  const grants = await Promise.all([open(renew), open(renew), open(renew)]);
  expect(await Promise.all(grants.map((grant) => grant.secret()))).toEqual(['second', 'second', 'second']);
  expect(used).toEqual(['https://code.example refresh of first']);
  expect(await (await open(never)).secret()).toBe('second');
  const { secret, refresh } = await row();
  expect(`${secret?.toString()} ${refresh?.toString()}`).not.toContain('second');
});

test('renews a grant early and once when the host rejects its token', async () => {
  id = await save(tokens('first', inAnHour()));
  const grant = await open(async () => tokens('second', inAnHour()));
  expect(await grant.secret()).toBe('first');
  expect(await grant.secret('first')).toBe('second');
  expect(await (await open(never)).secret('first')).toBe('second');
});

test('marks a grant as failed when the host rejects its refresh token, and stops renewing', async () => {
  const refusing: RenewTokens = () => Promise.reject(new HostRefused(400, 'invalid_grant'));
  await expect((await open(refusing)).secret()).rejects.toMatchObject({ status: 401, message: reconnectMessage });
  expect(await row()).toMatchObject({ failed_at: expect.any(Date), failure: reconnectMessage });
  await expect((await open(never)).secret()).rejects.toMatchObject({ status: 401 });
});

test('keeps a grant unchanged when the host does not respond', async () => {
  const failing: RenewTokens = () => Promise.reject(new Error('no answer'));
  await expect((await open(failing)).secret()).rejects.toThrow('no answer');
  expect((await row()).failed_at).toBeNull();
  expect(await (await open(async () => tokens('second', inAnHour()))).secret()).toBe('second');
});

test('marks a rejected token without refresh token as failed and finds no deleted grant', async () => {
  id = await save({ secret: 'only', refresh: null, expiresAt: null, scopes: [] });
  const grant = await open(never);
  expect(await grant.secret()).toBe('only');
  await expect(grant.secret('only')).rejects.toMatchObject({ status: 401 });
  await server.services.database.withOrg(acme.id, (tx) => server.services.grants.forget(tx, acme.id, id));
  expect(await server.services.grants.find(acme.id, id, never)).toBeUndefined();
});
