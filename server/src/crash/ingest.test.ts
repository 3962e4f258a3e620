import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { getEvent } from '@sightline/contract/timeline/events.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { createTestDatabase } from '#testing/databases.ts';
import { isFullSuite } from '../../../scripts/full-suite.ts';
import type { RunningServer } from '../cli/testing/installation.ts';
import { compareStoredEvents } from './testing/evidence.ts';
import { type CrashScene, createScene } from './testing/scene.ts';
import { newEventItem, startEventWriters } from './testing/writers.ts';

/** The full suite kills more often, on the built-in PostgreSQL, which the next server adopts. */
const [kills, warmUp] = isFullSuite ? [3, 300] : [1, 60];
const adoption = 'Adopting the PostgreSQL';

let scene: CrashScene;
let server: RunningServer;
let token: string;
const promised = new Set<string>();
const evidence = async () => compareStoredEvents(await scene.installation.databaseUrl(), scene.orgId, promised);

beforeAll(async () => {
  scene = await createScene(isFullSuite ? {} : { DATABASE_URL: await createTestDatabase() });
  server = scene.server;
  token = await scene.token();
});
afterAll(() => scene.installation.close());

test('preserves acknowledged events when the server is killed, consistent with the ledger', {
  timeout: 120_000,
}, async () => {
  for (let kill = 0; kill < kills; kill += 1) {
    const writers = startEventWriters(scene.installation.url, token);
    // Kills after a random number of acknowledged events, to cover every moment.
    await writers.reached(warmUp + Math.trunc(Math.random() * warmUp));
    await server.end('SIGKILL');
    await writers.finished;
    for (const id of writers.acknowledged) promised.add(id);

    server = await scene.installation.start();
    expect(server.output().includes(adoption)).toBe(isFullSuite);
    const found = await evidence();
    expect(found).toMatchObject({ missing: [], unproven: [], broken: [] });
    expect(found.events).toBeGreaterThanOrEqual(promised.size);
    const [last = ''] = [...writers.acknowledged].slice(-1);
    expect(await scene.call(getEvent, { params: { eventId: last } })).toMatchObject({ uuid: last });
  }
});

test('SIGTERM lets a running request finish and the server exit cleanly', { timeout: 60_000 }, async () => {
  const writers = startEventWriters(scene.installation.url, token);
  await writers.reached(warmUp);
  const event = newEventItem('sent while the server stops');
  const begun = await beginRequest();
  const ended = server.end('SIGTERM');
  // The server is closing when it refuses new connections.
  await writers.finished;
  begun.end(JSON.stringify([event]));
  const [answer] = await once(begun, 'response');
  expect(answer.statusCode).toBe(202);
  expect(await json(answer)).toMatchObject({ accepted: 1 });
  const inTime = AbortSignal.timeout(10_000);
  expect(await Promise.race([ended, once(inTime, 'abort').then(() => 'too late')])).toBe(0);

  for (const id of [...writers.acknowledged, event.message_id]) promised.add(id);
  if (isFullSuite) server = await scene.installation.start();
  expect(server.output()).not.toContain(adoption);
  expect(await evidence()).toMatchObject({ missing: [], unproven: [], broken: [] });
});

test('detects lost and torn events', async () => {
  const invented = newId();
  const client = new pg.Client({ connectionString: await scene.installation.databaseUrl() });
  await client.connect();
  const { rows } = await client.query<{ id: string; proof: string }>(
    'delete from event where id = (select id from event where org_id = $1 order by id limit 1) returning id, proof',
    [scene.orgId],
  );
  const torn = await client.query<{ id: string }>(
    `with doomed as (select proof from event where org_id = $1 order by id desc limit 1),
     waiting as (delete from ledger_pending where org_id = $1 and entry_id in (select proof from doomed) returning entry_id),
     placed as (delete from ledger_entry where org_id = $1 and entry_id in (select proof from doomed) returning entry_id),
     entry as (select entry_id from waiting union all select entry_id from placed)
     select id from event where proof in (select entry_id from entry) order by id`,
    [scene.orgId],
  );
  await client.end();
  promised.add(invented);
  const found = await evidence();
  expect(found.missing).toEqual(expect.arrayContaining([invented, ...rows.map(({ id }) => id)]));
  expect(found.missing).toHaveLength(2);
  expect(found.broken).toEqual(rows.map(({ proof }) => proof));
  expect(found.unproven).toEqual(torn.rows.map(({ id }) => id));
});

/** Starts a request whose headers the server has read and whose body it waits for. */
async function beginRequest(): Promise<ClientRequest> {
  const begun = request(`${scene.installation.url}/api/v2/events/user`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      expect: '100-continue',
    },
  });
  begun.flushHeaders();
  await once(begun, 'continue');
  return begun;
}
