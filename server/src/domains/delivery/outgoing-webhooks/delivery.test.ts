import {
  createOutgoingWebhook,
  deleteOutgoingWebhook,
  getOutgoingDelivery,
  getOutgoingWebhook,
  listOutgoingDeliveries,
  redeliverOutgoingWebhook,
  rotateOutgoingSecret,
  testOutgoingWebhook,
  updateOutgoingWebhook,
  WEBHOOK_RETRY_DELAYS_SECONDS,
} from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { listAudit } from '@sightline/contract/organization/audit.ts';
import { archiveOrganization } from '@sightline/contract/organization/organizations.ts';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { JobDefinition } from '#core/jobs.ts';
import { queueOutgoingEvent } from '#core/outgoing-events.ts';
import type { Tx } from '#database/database.ts';
import { refusalOf, startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { deliverDue } from './deliver-due.ts';
import { outgoingWebhookJobs } from './jobs.ts';
import { type Received, type Receiver, startReceiver } from './testing/receiver.ts';

let receiver: Receiver;
let server: TestServer;
beforeAll(async () => {
  receiver = await startReceiver();
  server = await startTestServer({ destinations: [receiver.url] });
});
beforeEach(() => receiver.answer((_, response) => void response.writeHead(204).end()));
afterAll(async () => {
  await server?.close();
  await receiver?.close();
});

const event = { type: 'finding.new', data: { title: 'Straße "quoted"', count: 3 } };

let counter = 0;
async function scene(types: string[] | null = null) {
  const org = await server.make.organization();
  const ask = server.as(org.owner, org.id);
  const path = `/hooks/${++counter}`;
  const body = { url: `${receiver.url}${path}`, types };
  const { secret, webhook } = await ask(createOutgoingWebhook, { body });
  const ids = { orgId: org.id, webhookId: webhook.id };
  const params = { webhookId: webhook.id };
  return {
    org,
    ask,
    path,
    secret,
    ids,
    params,
    deliver: () => deliverDue(server.services, ids),
    deliveries: () => ask(listOutgoingDeliveries, { params }),
  };
}

const inOrg = <Result>({ id }: TestOrganization, work: (tx: Tx) => Promise<Result>) =>
  server.services.database.withOrg(id, work);
const queueEvent = (org: TestOrganization, queued = event) =>
  inOrg(org, (tx) => queueOutgoingEvent(server.services.jobs, tx, org.id, queued));
const makeDue = (org: TestOrganization) =>
  inOrg(org, ({ db }) => db.updateTable('outgoing_delivery').set({ next_at: new Date() }).execute());
const raised = async (org: TestOrganization) =>
  (await inOrg(org, ({ db }) => db.selectFrom('notification_pending').select('notification').execute())).map(
    ({ notification }) => notification,
  );
const verified = (secret: string, { body, headers }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);
const only = <T>([one]: readonly T[]): T => {
  if (one === undefined) throw new Error('The list is empty.');
  return one;
};

test('delivers an event once, signed according to Standard Webhooks, and records the delivery', async () => {
  const { org, ask, path, secret, params, deliver, deliveries } = await scene();
  receiver.answer((_, response) => void response.writeHead(200).end('thank you'));
  await queueEvent(org);
  await Promise.all([deliver(), deliver()]);
  const request = only(receiver.at(path));
  expect(receiver.at(path)).toHaveLength(1);
  expect(request.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Sightline-Webhooks/1' });
  expect(verified(secret, request)).toEqual({
    type: 'finding.new',
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    organization: org.id,
    data: event.data,
  });
  const { rows, total } = await deliveries();
  expect([total, rows[0]]).toEqual([
    1,
    {
      id: request.headers['webhook-id'],
      type: 'finding.new',
      status: 'delivered',
      attempts: 1,
      createdAt: expect.any(String),
      nextAt: null,
      lastAttempt: { number: 1, at: expect.any(String), responseStatus: 200, failure: null, ms: expect.any(Number) },
    },
  ]);
  const detail = await ask(getOutgoingDelivery, { params: { ...params, deliveryId: only(rows).id } });
  expect(detail).toMatchObject({ body: request.body, log: [{ number: 1, response: 'thank you' }] });
});

test('skips deliveries locked by another process without waiting', async () => {
  const { org, path, deliver } = await scene();
  await queueEvent(org);
  await inOrg(org, async ({ db }) => {
    await db.updateTable('outgoing_delivery').set({ next_at: sql<Date>`now() + interval '1 minute'` }).execute();
    // This transaction holds the row locks, so a worker that waited for them would block until the test times out.
    await deliver();
  });
  expect(receiver.at(path)).toEqual([]);
});

test('fails signature verification with another secret or a modified body', async () => {
  const [one, other] = [await scene(), await scene()];
  await queueEvent(one.org);
  await one.deliver();
  const request = only(receiver.at(one.path));
  expect(() => verified(other.secret, request)).toThrow(/signature/i);
  expect(() => verified(one.secret, { ...request, body: request.body.replace('3', '4') })).toThrow(/signature/i);
});

test('sends only subscribed event types, to the organization of the event', async () => {
  const [subscribed, unsubscribed, elsewhere] = [
    await scene(['finding.new']),
    await scene(['member.joined']),
    await scene(),
  ];
  await queueEvent(subscribed.org);
  await queueEvent(unsubscribed.org);
  for (const each of [subscribed, unsubscribed, elsewhere]) await each.deliver();
  expect([subscribed, unsubscribed, elsewhere].map(({ path }) => receiver.at(path).length)).toEqual([1, 0, 0]);
});

test('sends nothing for a rolled-back change', async () => {
  const { org, path, deliver } = await scene();
  await expect(
    inOrg(org, async (tx) => {
      await queueOutgoingEvent(server.services.jobs, tx, org.id, event);
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  await deliver();
  expect(receiver.at(path)).toEqual([]);
});

test('retries a failed delivery with increasing delays and marks it failed after the last attempt', async () => {
  const { org, ask, path, params, deliver, deliveries } = await scene();
  receiver.answer((_, response) => void response.writeHead(500).end('a\0b'.padEnd(3000, '!')));
  await queueEvent(org);
  const waits: number[] = [];
  for (const seconds of WEBHOOK_RETRY_DELAYS_SECONDS) {
    await deliver();
    const { nextAt, lastAttempt, status } = only((await deliveries()).rows);
    expect(status).toBe('pending');
    waits.push((Date.parse(nextAt ?? '') - Date.parse(lastAttempt?.at ?? '')) / 1000 / seconds);
    await deliver(); // Not due: nothing happens.
    await makeDue(org);
  }
  for (const wait of waits) {
    expect(wait).toBeGreaterThan(0.9);
    expect(wait).toBeLessThan(1.3);
  }
  await deliver();
  const last = only((await deliveries()).rows);
  expect(last).toMatchObject({
    status: 'failed',
    attempts: 7,
    lastAttempt: { failure: 'The receiver responded with status 500.' },
  });
  expect(new Set(receiver.at(path).map(({ headers }) => headers['webhook-id']))).toEqual(new Set([last.id]));
  const { log } = await ask(getOutgoingDelivery, { params: { ...params, deliveryId: last.id } });
  expect(log.map(({ number }) => number)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  expect(log[0]?.response).toBe('a\uFFFDb'.padEnd(1024, '!'));
  expect((await ask(getOutgoingWebhook, { params })).state).toBe('failing');
  expect(await raised(org)).toEqual([
    {
      type: 'delivery.failed',
      cause: null,
      deliveryId: last.id,
      because: 'The receiver responded with status 500.',
      to: { kind: 'webhook', id: params.webhookId, name: new URL(receiver.url).host },
    },
  ]);

  receiver.answer((_, response) => void response.writeHead(204).end());
  const again = await ask(redeliverOutgoingWebhook, { params: { ...params, deliveryId: last.id } });
  expect(again).toMatchObject({ status: 'pending', attempts: 7 });
  await deliver();
  expect(only((await deliveries()).rows)).toMatchObject({ id: last.id, status: 'delivered', attempts: 8 });
  expect((await ask(getOutgoingWebhook, { params })).state).toBe('active');
});

test.each(['delivery.failed', 'webhook.test'])('raises no notification for a failed delivery of %s', async (type) => {
  const { org, deliver, deliveries } = await scene();
  receiver.answer((_, response) => void response.writeHead(500).end());
  await queueEvent(org, { ...event, type });
  for (const _try of [...WEBHOOK_RETRY_DELAYS_SECONDS, 'the last']) {
    await makeDue(org);
    await deliver();
  }
  expect(only((await deliveries()).rows)).toMatchObject({ type, status: 'failed' });
  expect(await raised(org)).toEqual([]);
});

test('honors Retry-After up to the longest retry delay', async () => {
  const { org, deliver, deliveries } = await scene();
  const wait = async (retry: string) => {
    receiver.answer((_, response) => void response.writeHead(429, { 'retry-after': retry }).end());
    await makeDue(org);
    await deliver();
    const { nextAt, lastAttempt } = only((await deliveries()).rows);
    return (Date.parse(nextAt ?? '') - Date.parse(lastAttempt?.at ?? '')) / 1000;
  };
  await queueEvent(org);
  expect(await wait('1000')).toBeGreaterThan(990);
  expect(await wait('999999')).toBeLessThan(36_000 * 1.3);
  expect(await wait('Wed, 21 Oct 2065 07:28:00 GMT')).toBeLessThan(1_800 * 1.3);
});

test.each<[string, (response: Parameters<Parameters<Receiver['answer']>[0]>[1]) => void, string]>([
  ['redirects', (response) => response.writeHead(302, { location: '/elsewhere' }).end(), 'redirects'],
  ['hangs up', (response) => response.destroy(), 'returned an unexpected response'],
])('treats an address that %s as a failed attempt', async (_, how, reason) => {
  const { org, deliver, deliveries } = await scene();
  receiver.answer((__, response) => how(response));
  await queueEvent(org);
  await deliver();
  const { status, lastAttempt } = only((await deliveries()).rows);
  expect([status, lastAttempt?.failure]).toEqual(['pending', expect.stringContaining(reason)]);
  expect(receiver.at('/elsewhere')).toEqual([]);
});

test('does not call an address that has become private', async () => {
  const { org, deliver, deliveries, ids } = await scene();
  await queueEvent(org);
  await inOrg(org, ({ db }) =>
    db.updateTable('outgoing_webhook').set({ url: 'https://10.0.0.8/' }).where('id', '=', ids.webhookId).execute(),
  );
  await deliver();
  expect(only((await deliveries()).rows).lastAttempt?.failure).toBe(
    'url has no public address. The host does not exist or is in a private or reserved network.',
  );
});

test('signs with both secrets for a day after rotation, then with the new secret only', async () => {
  const { org, ask, path, secret, params, deliver } = await scene();
  const { secret: next, webhook } = await ask(rotateOutgoingSecret, { params });
  const hours = (Date.parse(webhook.previousSecretUntil ?? '') - Date.now()) / 3_600_000;
  expect(hours).toBeCloseTo(24, 1);
  await queueEvent(org);
  await deliver();
  for (const each of [secret, next]) expect(verified(each, only(receiver.at(path)))).toBeTruthy();
  await inOrg(org, ({ db }) => db.updateTable('outgoing_webhook').set({ previous_until: new Date() }).execute());
  await queueEvent(org);
  await deliver();
  const later = receiver.at(path)[1];
  expect(later && verified(next, later)).toBeTruthy();
  expect(() => later && verified(secret, later)).toThrow(/signature/i);
  expect((await ask(getOutgoingWebhook, { params })).previousSecretUntil).toBeNull();
});

test('disables a webhook after five days of failures and sends pending deliveries once re-enabled', async () => {
  const { org, ask, path, params, deliver, deliveries } = await scene();
  receiver.answer((_, response) => void response.writeHead(503).end());
  await queueEvent(org);
  await deliver();
  const since = (hours: number) =>
    inOrg(org, ({ db }) =>
      db
        .updateTable('outgoing_webhook')
        .set({ failing_since: sql<Date>`now() - make_interval(hours => ${hours})` })
        .execute(),
    );
  await since(118);
  await makeDue(org);
  await deliver();
  expect((await ask(getOutgoingWebhook, { params })).state).toBe('failing');
  await since(122);
  await makeDue(org);
  await deliver();
  expect((await ask(getOutgoingWebhook, { params })).state).toBe('auto_disabled');
  const { entries } = await ask(listAudit, {});
  expect(entries[0]).toMatchObject({ action: 'webhook.auto_disabled', actor: { name: 'Sightline' } });
  expect(await raised(org)).toEqual([
    expect.objectContaining({ type: 'webhook.disabled', webhookId: params.webhookId }),
  ]);
  const countBefore = receiver.at(path).length;
  await queueEvent(org); // Queues nothing, because the webhook is disabled.
  await makeDue(org);
  await deliver();
  expect(receiver.at(path)).toHaveLength(countBefore);
  expect(await refusalOf(ask(testOutgoingWebhook, { params }))).toEqual({ status: 409, code: 'conflict' });

  receiver.answer((_, response) => void response.writeHead(204).end());
  expect((await ask(updateOutgoingWebhook, { params, body: { enabled: true } })).state).toBe('active');
  await deliver();
  expect((await deliveries()).rows.map(({ status }) => status)).toEqual(['delivered']);
});

test('disables a webhook when its address answers 410 Gone', async () => {
  const { org, ask, params, deliver } = await scene();
  receiver.answer((_, response) => void response.writeHead(410).end());
  await queueEvent(org);
  await deliver();
  expect((await ask(getOutgoingWebhook, { params })).state).toBe('auto_disabled');
});

test('sends nothing for an archived organization', async () => {
  const { org, ask, path, deliver } = await scene();
  await queueEvent(org);
  await ask(archiveOrganization, {});
  await deliver();
  expect(receiver.at(path)).toEqual([]);
});

test('keeps a webhook deleted when a delivery in progress completes', async () => {
  const { org, ask, path, params, deliver } = await scene();
  await queueEvent(org);
  let release = () => {};
  receiver.answer((_, response) => {
    release = () => void response.writeHead(204).end();
  });
  const inProgress = deliver();
  await vi.waitFor(() => expect(receiver.at(path)).toHaveLength(1), 20_000);
  await ask(deleteOutgoingWebhook, { params });
  release();
  await inProgress;
  expect(await refusalOf(ask(getOutgoingWebhook, { params }))).toEqual({ status: 404, code: 'not_found' });
});

test('resumes deliveries of a crashed process and deletes old deliveries', async () => {
  const { org, path, deliver } = await scene();
  const jobs = new Map<string, JobDefinition['handle']>(
    outgoingWebhookJobs(server.services).map(({ name, handle }) => [name, handle]),
  );
  const run = (name: string) => jobs.get(name)?.({} as never);
  await queueEvent(org);
  // The lease of a process that crashed.
  const waiting = () =>
    server.services.database.pool.query(
      `select 1 from pgboss.job where name = 'outgoing.deliver' and data->>'orgId' = $1`,
      [org.id],
    );
  await inOrg(org, ({ db }) =>
    db.updateTable('outgoing_delivery').set({ next_at: sql<Date>`now() + interval '1 minute'` }).execute(),
  );
  await deliver();
  expect(receiver.at(path)).toEqual([]);
  await makeDue(org);
  await run('outgoing.sweep');
  expect((await waiting()).rowCount).toBeGreaterThan(0);
  await deliver();
  expect(receiver.at(path)).toHaveLength(1);
  const remaining = () => inOrg(org, ({ db }) => db.selectFrom('outgoing_delivery').select('id').execute());
  await run('outgoing.forget');
  expect(await remaining()).toHaveLength(1);
  await inOrg(org, ({ db }) =>
    db.updateTable('outgoing_delivery').set({ created_at: sql<Date>`now() - interval '31 days'` }).execute(),
  );
  await run('outgoing.forget');
  expect(await remaining()).toEqual([]);
});
