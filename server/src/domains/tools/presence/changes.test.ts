import { randomUUID } from 'node:crypto';
import { sendHeartbeat } from '@sightline/contract/tools/presence.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { shareTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';
import { recordSideTimeouts } from './changes.ts';

let server: TestServer;
let acme: TestOrganization;
let ada: TestAccount;
beforeAll(async () => {
  server = await shareTestServer();
});
beforeEach(async () => {
  acme = await server.make.organization('Acme');
  ada = await server.make.member(acme.id, 'rol_contributor');
});
afterAll(() => server.close());

const inOrg = <Row extends object>(text: string, values: unknown[] = []) =>
  server.services.database.withOrg(acme.id, (tx) =>
    tx.query<Row & Record<string, unknown>>({ name: '', text, values }),
  );
const beat = (sessionId: string, leaving = false) =>
  server.as(ada, acme.id)(sendHeartbeat, {
    body: { side: 'ide', sessionId, type: 'vscode', version: '1.0.0', leaving },
  });
const changes = () =>
  inOrg<{ connected: boolean; reason: string; at: Date }>(
    'select connected, reason, at from presence_change where account_id = $1 order by at, connected',
    [ada.id],
  );
const reasons = async () => (await changes()).map(({ reason }) => reason);
/** Moves all times back by a number of minutes. */
async function age(minutes: number): Promise<void> {
  for (const column of ['live_until', 'seen_at', 'heartbeat_at']) {
    await inOrg(`update extension_session set ${column} = ${column} - make_interval(mins => ${minutes})`);
  }
  await inOrg(`update presence_side set connected_since = connected_since - make_interval(mins => ${minutes})`);
}
const lapse = () => server.services.database.withOrg(acme.id, (tx) => recordSideTimeouts(tx, acme.id));

test('records a connect and a disconnect once, regardless of the number of windows', async () => {
  const [one, other] = [randomUUID(), randomUUID()];
  await Promise.all([beat(one), beat(other)]);
  await beat(one);
  await beat(one, true);
  expect(await reasons()).toEqual(['connected']);
  await beat(other, true);
  await beat(other, true);
  expect(await reasons()).toEqual(['connected', 'disconnected']);
});

test('writes a ledger entry for each change and includes no names', async () => {
  await beat(randomUUID());
  const [entry] = await inOrg<{ kind: string; entry: string }>(
    'select k.kind, k.entry from presence_change c join ledger_known k using (org_id, entry_id)',
  );
  expect(entry?.kind).toBe('presence.connected');
  expect(JSON.parse(entry?.entry ?? '')).toMatchObject({
    person: await server.personOf(acme.id, ada),
    subject: { account: ada.id, side: 'ide', reason: 'connected' },
  });
});

test('records a side without heartbeats as lapsed at its expiry time', async () => {
  await beat(randomUUID());
  await lapse();
  expect(await reasons()).toEqual(['connected']);
  await age(30);
  const [session] = await inOrg<{ live_until: Date }>('select live_until from extension_session');
  await lapse();
  await lapse();
  const found = await changes();
  expect(found.find(({ connected }) => !connected)).toMatchObject({ reason: 'timed_out', at: session?.live_until });
  expect(found).toHaveLength(2);
});

test('records a lapse when a session reconnects before its expiry was noticed', async () => {
  const window = randomUUID();
  await beat(window);
  await age(30);
  await beat(window);
  expect((await reasons()).toSorted()).toEqual(['connected', 'connected', 'timed_out']);
  expect((await inOrg('select from presence_side where connected_since is not null')).length).toBe(1);
});

test('records a connection that predates this history at the next heartbeat', async () => {
  const window = randomUUID();
  await beat(window);
  await inOrg('update presence_side set connected_since = null');
  await beat(window);
  expect(await reasons()).toEqual(['connected', 'connected']);
});
