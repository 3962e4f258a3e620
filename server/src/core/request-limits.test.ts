import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { runControls } from '@sightline/contract/compliance/control-runs.ts';
import { createSnapshot } from '@sightline/contract/compliance/snapshots.ts';
import { getAccount } from '@sightline/contract/identity/accounts.ts';
import { listAnchors } from '@sightline/contract/ledger/anchors.ts';
import { exportAudit } from '@sightline/contract/organization/audit.ts';
import { countWeekHours, groupEvents } from '@sightline/contract/timeline/event-groups.ts';
import { queryEvents, recordEvents } from '@sightline/contract/timeline/events.ts';
import { countEvents, getHistogram } from '@sightline/contract/timeline/explore.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { readConfig } from '#config.ts';
import { refusalOf, startTestServer, type TestAccount, type TestServer } from '#testing/server.ts';
import { writeLimitsPage } from './limits-page.ts';

let server: TestServer;
let close: (() => Promise<void>) | undefined;
afterEach(async () => {
  await close?.();
  close = undefined;
});

const start = async (limits: string) => {
  server = await startTestServer({ environment: { RATE_LIMITS: `*=1000000,${limits}` } });
  ({ close } = server);
};

const answer = async (account: TestAccount, orgId: string, path: string) =>
  fetch(`${server.url}/api${path}`, {
    headers: { authorization: `Bearer ${await server.token(account, orgId)}` },
  });

/** The response status of a request from another loopback address. */
const statusFrom = (localAddress: string, path: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const request = get(`${server.url}${path}`, { localAddress, agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    request.once('error', reject);
  });

test('answers 429 over the limit of an account, with Retry-After and RateLimit headers, and no other account', async () => {
  await start('account=3');
  const { id, owner } = await server.make.organization();
  const other = await server.make.member(id, 'rol_reviewer');
  const good = await answer(owner, id, listAnchors.path);
  expect([good.status, good.headers.get('ratelimit')]).toEqual([
    200,
    expect.stringMatching(/"account";r=2;t=\d+, "organization";r=999999;t=\d+$/),
  ]);
  expect(good.headers.get('ratelimit-policy')).toContain('"account";q=3;w=60');
  for (const _ of [2, 3]) await answer(owner, id, listAnchors.path);
  const refused = await answer(owner, id, listAnchors.path);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect(refused.headers.get('ratelimit')).toMatch(/"account";r=0;t=\d+/);
  expect(await refused.json()).toMatchObject({ code: 'rate_limited', message: expect.stringContaining('"account"') });
  expect((await answer(other, id, listAnchors.path)).status).toBe(200);
});

test('limits an organization across its members, and no other organization', async () => {
  await start('organization=4');
  const { id, owner } = await server.make.organization();
  const member = await server.make.member(id, 'rol_reviewer');
  for (const user of [owner, member, owner, member])
    expect((await answer(user, id, listAnchors.path)).status).toBe(200);
  expect((await answer(owner, id, listAnchors.path)).status).toBe(429);
  const other = await server.make.organization('Other');
  expect((await answer(other.owner, other.id, listAnchors.path)).status).toBe(200);
  expect(await server.as(owner)(getAccount, {})).toBeDefined();
});

test('limits a network address before any processing, and no other address', async () => {
  await start('address=3');
  const path = '/api/health/live';
  for (const _ of [1, 2, 3]) expect(await statusFrom('127.0.0.2', path)).toBe(200);
  expect(await statusFrom('127.0.0.2', path)).toBe(429);
  expect(await statusFrom('127.0.0.2', '/oidc/forgot')).toBe(429);
  expect(await statusFrom('127.0.0.3', path)).toBe(200);
  // Webhooks of a code host have their own limit.
  expect(await statusFrom('127.0.0.2', '/api/webhooks/github')).toBe(404);
});

test('limits events of an account and of an organization', async () => {
  await start('events-account=10,events-organization=16');
  const { id, owner } = await server.make.organization();
  const member = await server.make.member(id, 'rol_contributor');
  const send = (account: TestAccount, count: number) =>
    server.as(account, id)(recordEvents, { body: Array.from({ length: count }, () => ({})) });
  await send(owner, 10);
  expect(await refusalOf(send(owner, 1))).toEqual({ status: 429, code: 'rate_limited' });
  await send(member, 5);
  expect(await refusalOf(send(member, 3))).toEqual({ status: 429, code: 'rate_limited' });
});

test('limits exports per hour and concurrently', async () => {
  await start('exports=4,exports:running=1');
  const { id, owner } = await server.make.organization();
  const other = await server.make.organization('Other');
  await server.services.database.withOrg(id, (tx) =>
    tx.query({
      name: '',
      text: `insert into audit_event (org_id, id, at, actor_kind, actor_id, action, subject_kind, subject_id, data)
             select $1::uuid, gen_random_uuid(), now(), 'account', 'x', 'member.joined', 'account', 'x', jsonb_build_object('x', repeat('x', 500))
             from generate_series(1, 40000)`,
      values: [id],
    }),
  );
  // An unread response keeps its export running until the client cancels.
  const first = await answer(owner, id, exportAudit.path);
  expect(first.status).toBe(200);
  const second = await answer(owner, id, exportAudit.path);
  expect([second.status, second.headers.get('retry-after')]).toEqual([429, '5']);
  const others = await answer(other.owner, other.id, exportAudit.path);
  expect(others.status).toBe(200);
  // On shutdown the server waits for open response bodies.
  for (const { body } of [first, others]) await body?.cancel();
  const next = async () => {
    const { status, body } = await answer(owner, id, exportAudit.path);
    await body?.cancel();
    return status;
  };
  await vi.waitFor(async () => expect(await next()).toBe(200), { timeout: 20_000, interval: 100 });
  const perHour = async () => {
    const response = await answer(owner, id, exportAudit.path);
    const { headers, body } = response;
    await body?.cancel();
    return headers.get('ratelimit') ?? '';
  };
  await vi.waitFor(async () => expect(await perHour()).toMatch(/"exports";r=0;t=\d+/), {
    timeout: 20_000,
    interval: 100,
  });
});

test('limits the database time of expensive queries per account, and no quick query and no other account', async () => {
  await start('query-time=1');
  const { id, owner } = await server.make.organization();
  const other = await server.make.member(id, 'rol_reviewer');
  const find = (account: TestAccount, query: string) => server.as(account, id)(queryEvents, { body: { query } });
  // Each statement counts at least a millisecond.
  await find(owner, 'several words');
  const refused = await server.app.inject({
    method: 'POST',
    url: `/api${queryEvents.path}`,
    headers: { authorization: `Bearer ${await server.token(owner, id)}` },
    payload: { query: 'several words' },
  });
  expect([refused.statusCode, Number(refused.headers['retry-after'])]).toEqual([429, expect.any(Number)]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.headers.ratelimit).toMatch(/"query-time";r=0;t=\d+/);
  expect(refused.json()).toMatchObject({
    code: 'rate_limited',
    message: expect.stringContaining('seconds of database time'),
    cause: expect.stringContaining('after:-7d'),
  });
  for (const charted of [
    () => server.as(owner, id)(getHistogram, { body: { query: 'several words' } }),
    () => server.as(owner, id)(groupEvents, { body: { query: 'several', by: 'repo' } }),
    () => server.as(owner, id)(countWeekHours, { body: { query: 'several words' } }),
    () => server.as(owner, id)(countEvents, { body: { query: 'several words', newer: FIRST_KEY } }),
  ])
    expect(await refusalOf(charted())).toEqual({ status: 429, code: 'rate_limited' });
  expect((await find(owner, '')).events).toEqual([]);
  expect((await find(owner, 'several')).events).toEqual([]);
  expect((await find(other, 'several words')).events).toEqual([]);
});

const FIRST_KEY = '2026-01-01T00:00:00Z_00000000-0000-7000-8000-000000000000';

test('limits snapshots and evaluations per hour and concurrently', async () => {
  await start('snapshots=3,snapshots:running=2,evaluations=2,evaluations:running=1000');
  const { id, owner } = await server.make.organization();
  const make = (orgId: string, account: TestAccount) =>
    server.as(account, orgId)(createSnapshot, { body: { name: 'Q1', period: '2026-01' } as never });
  await make(id, owner);
  await make(id, owner);
  expect(await refusalOf(make(id, owner))).toEqual({ status: 429, code: 'rate_limited' });
  await server.services.database.withOrg(id, ({ db }) => db.updateTable('snapshot').set({ state: 'failed' }).execute());
  await make(id, owner);
  await server.services.database.withOrg(id, ({ db }) => db.updateTable('snapshot').set({ state: 'failed' }).execute());
  expect(await refusalOf(make(id, owner))).toEqual({ status: 429, code: 'rate_limited' });
  const evaluate = () => server.as(owner, id)(runControls, { body: {} });
  await evaluate();
  await evaluate();
  expect(await refusalOf(evaluate())).toEqual({ status: 429, code: 'rate_limited' });
});

test('documents the current table of limits', async () => {
  const page = new URL('../../../docs/rate-limits.md', import.meta.url);
  expect(await readFile(page, 'utf8')).toBe(writeLimitsPage());
});

test.each(['acount=3', 'account', 'account=0', 'account=-1', 'uploads:walking=2', 'mail-reset:running=2'])(
  'does not start with RATE_LIMITS=%s',
  (value) => {
    expect(() => readConfig({ RATE_LIMITS: value })).toThrow('RATE_LIMITS');
  },
);
