import {
  createOutgoingWebhook,
  deleteOutgoingWebhook,
  getOutgoingDelivery,
  listOutgoingDeliveries,
  listOutgoingWebhooks,
  testOutgoingWebhook,
  updateOutgoingWebhook,
} from '@sightline/contract/delivery/outgoing-webhooks.ts';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { queueOutgoingEvent } from '#core/outgoing-events.ts';
import { refusalOf, startTestServer, type TestServer } from '#testing/server.ts';
import { type Receiver, startReceiver } from './testing/receiver.ts';

let receiver: Receiver;
let server: TestServer;
beforeAll(async () => {
  receiver = await startReceiver();
  server = await startTestServer({ jobs: true, destinations: [receiver.url] });
});
afterAll(async () => {
  await server?.close();
  await receiver?.close();
});

async function scene() {
  const org = await server.make.organization();
  return { org, ask: server.as(org.owner, org.id) };
}

test('creates, tests, updates, disables and deletes a webhook', async () => {
  const { org, ask } = await scene();
  const url = `${receiver.url}/first`;
  const body = { url, description: ' Our SIEM ', types: ['finding.new'] };
  const { secret, webhook } = await ask(createOutgoingWebhook, { body });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(webhook).toEqual({
    id: expect.any(String),
    url,
    description: 'Our SIEM',
    types: ['finding.new'],
    state: 'active',
    failingSince: null,
    previousSecretUntil: null,
    createdBy: { id: org.owner.id, name: 'Olga Owner' },
    createdAt: expect.any(String),
  });
  const { rows } = await server.services.database.withOrg(org.id, ({ db }) =>
    sql<{ all: string }>`select outgoing_webhook::text as all from outgoing_webhook`.execute(db),
  );
  const decoded = Buffer.from(secret.slice('whsec_'.length), 'base64').toString('hex');
  for (const plain of [secret, Buffer.from(secret).toString('hex'), decoded]) {
    expect(JSON.stringify(rows)).not.toContain(plain);
  }

  // The jobs create them directly, regardless of the subscribed types.
  const params = { webhookId: webhook.id };
  const { deliveryId } = await ask(testOutgoingWebhook, { params });
  const got = await vi.waitFor(() => {
    const [first] = receiver.at('/first');
    if (!first) throw new Error('nothing yet');
    return first;
  }, 20_000);
  expect(new Webhook(secret).verify(got.body, got.headers as Record<string, string>)).toMatchObject({
    type: 'webhook.test',
  });
  await vi.waitFor(async () => {
    const { status } = await ask(getOutgoingDelivery, { params: { ...params, deliveryId } });
    expect(status).toBe('delivered');
  }, 20_000);

  const changed = await ask(updateOutgoingWebhook, { params, body: { types: null, description: 'All of it' } });
  expect(changed).toMatchObject({ url, types: null, description: 'All of it', state: 'active' });
  expect(await ask(updateOutgoingWebhook, { params, body: { enabled: false } })).toMatchObject({ state: 'off' });
  await ask(deleteOutgoingWebhook, { params });
  expect((await ask(listOutgoingWebhooks, {})).total).toBe(0);
});

test('retries automatically and sends each event once with two processes', { tags: 'full' }, async () => {
  const { org, ask } = await scene();
  const beside = await startTestServer({
    jobs: true,
    beside: server,
    destinations: [receiver.url],
  });
  const failing = new Set<string>();
  receiver.answer(({ path, headers }, response) => {
    const id = String(headers['webhook-id']);
    // Each is refused once.
    const status = path === '/many' && !failing.has(id) ? 500 : 204;
    failing.add(id);
    response.writeHead(status).end();
  });
  try {
    const { webhook } = await ask(createOutgoingWebhook, { body: { url: `${receiver.url}/many` } });
    await server.services.database.withOrg(org.id, async (tx) => {
      for (let n = 0; n < 12; n += 1) {
        await queueOutgoingEvent(server.services.jobs, tx, org.id, { type: 'finding.new', data: { n } });
      }
    });
    await vi.waitFor(
      async () => {
        const { rows } = await ask(listOutgoingDeliveries, {
          params: { webhookId: webhook.id },
          query: { perPage: 40, status: ['delivered'] },
        });
        expect(rows).toHaveLength(12);
        expect(new Set(rows.map(({ attempts }) => attempts))).toEqual(new Set([2]));
      },
      { timeout: 90_000, interval: 250 },
    );
    expect(receiver.at('/many')).toHaveLength(24);
  } finally {
    await beside.close();
  }
});

test('searches, sorts and filters the lists', async () => {
  const { org, ask } = await scene();
  const urls = ['/b', '/a', '/c'].map((path) => `${receiver.url}${path}`);
  for (const url of urls) await ask(createOutgoingWebhook, { body: { url } });
  const { rows, total } = await ask(listOutgoingWebhooks, { query: { sort: 'url-asc', perPage: 2 } });
  expect([total, rows.map(({ url }) => url)]).toEqual([3, [`${receiver.url}/a`, `${receiver.url}/b`]]);
  expect((await ask(listOutgoingWebhooks, { query: { search: '/C' } })).total).toBe(1);

  const [first] = rows;
  const params = { webhookId: first?.id ?? '' };
  receiver.answer((_, response) => void response.writeHead(204).end());
  await server.services.database.withOrg(org.id, async (tx) => {
    for (const type of ['member.joined', 'finding.new']) {
      await queueOutgoingEvent(server.services.jobs, tx, org.id, { type, data: {} });
    }
  });
  const listed = async (query: object) =>
    (await ask(listOutgoingDeliveries, { params, query })).rows.map(({ type }) => type);
  expect(await listed({ search: 'find' })).toEqual(['finding.new']);
  expect((await listed({ sort: 'date-asc' })).toSorted()).toEqual(['finding.new', 'member.joined']);
  await vi.waitFor(async () => expect(await listed({ status: ['delivered'] })).toHaveLength(2), 20_000);
  expect(await listed({ status: ['failed'] })).toEqual([]);
});

test.each([
  [{ url: 'http://hooks.example/' }, 'validation_failed'],
  [{ url: 'https://10.0.0.8/' }, 'validation_failed'],
  [{ url: 'https://user:word@93.184.215.14/' }, 'validation_failed'],
  [{ url: 'not an address' }, 'validation_failed'],
  [{ url: '' }, 'validation_failed'],
  [{ types: [] }, 'validation_failed'],
  [{ types: ['everything'] }, 'validation_failed'],
  [{ description: 'a'.repeat(201) }, 'validation_failed'],
])('rejects %j on create and on update', async (body, code) => {
  const { ask } = await scene();
  const good = { url: receiver.url };
  expect(await refusalOf(ask(createOutgoingWebhook, { body: { ...good, ...body } }))).toEqual({ status: 400, code });
  const { webhook } = await ask(createOutgoingWebhook, { body: good });
  const params = { webhookId: webhook.id };
  expect(await refusalOf(ask(updateOutgoingWebhook, { params, body }))).toEqual({ status: 400, code });
});

test('limits an organization to twenty webhooks', async () => {
  const { ask } = await scene();
  for (let n = 0; n < 20; n += 1) await ask(createOutgoingWebhook, { body: { url: receiver.url } });
  expect(await refusalOf(ask(createOutgoingWebhook, { body: { url: receiver.url } }))).toEqual({
    status: 409,
    code: 'conflict',
  });
});
