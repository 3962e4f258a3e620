import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { NIL_UUID } from '#core/ids.ts';
import { type SandboxGithub, startSandboxGithub, webhookSecret } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';

let story: Awaited<ReturnType<typeof createStory>>;
let sandbox: SandboxGithub;
let server: TestServer;
let acme: TestOrganization;
let installationId: number;

beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxGithub([story.path]);
  server = await startTestServer({ environment: sandbox.environment });
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});
beforeEach(async () => {
  acme = await server.make.organization();
  installationId = Math.floor(Math.random() * 2 ** 40);
  await server.services.database.withOrg(acme.id, ({ db }) =>
    db
      .insertInto('installation')
      .values({
        org_id: acme.id,
        provider: 'github',
        installation_id: String(installationId),
        account_login: 'sandbox',
        html_url: 'http://localhost',
        created_by: acme.owner.id,
      })
      .execute(),
  );
});

const sign = (body: string | Buffer) => `sha256=${createHmac('sha256', webhookSecret).update(body).digest('hex')}`;
const post = async (body: string | Buffer, headers: Record<string, string> = {}, provider = 'github') => {
  const answer = await fetch(`${server.url}/api/webhooks/${provider}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'star',
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': sign(body),
      ...headers,
    },
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};
const star = () =>
  JSON.stringify({ action: 'created', installation: { id: installationId }, note: 'Ü "\u2028', node_id: randomUUID() });
const stored = (orgId = acme.id) =>
  server.services.database.withOrg(orgId, ({ db }) => db.selectFrom('webhook_delivery').selectAll().execute());
const waitingJobs = async () =>
  (
    await server.services.database.pool.query<{ key: string }>(
      `select singleton_key as key from pgboss.job where name = 'webhook.work' and data ->> 'orgId' = $1`,
      [acme.id],
    )
  ).rows.map((row) => row.key);

test('stores a signed delivery unmodified, once, and queues a job', async () => {
  const id = randomUUID();
  const body = star();
  const headers = { 'x-github-delivery': id };
  expect(await post(body, headers)).toEqual({ status: 202, body: { accepted: true, duplicate: false } });
  const [row] = await stored();
  expect(row).toMatchObject({ delivery_id: id, event: 'star', body, provider: 'github', processed_at: null });

  const other = JSON.stringify({ installation: { id: installationId } });
  for (const sent of [body, other]) {
    expect(await post(sent, headers)).toEqual({ status: 202, body: { accepted: true, duplicate: true } });
  }
  expect(await stored()).toEqual([row]);
  await vi.waitFor(async () => expect(await waitingJobs()).toEqual([acme.id]), 20_000);
});

test('stores all of many concurrent deliveries and queues few jobs', async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, () => post(star())));
  expect(answers.filter(({ status, body }) => status === 202 && body.duplicate === false)).toHaveLength(100);
  expect(await stored()).toHaveLength(100);
  // No worker runs: one job waits, and the other enqueued jobs are merged with it.
  await vi.waitFor(async () => expect(await waitingJobs()).toEqual([acme.id]), 20_000);
});

test('recognizes the same bytes under another delivery ID or event as a duplicate', async () => {
  const body = star();
  expect(await post(body)).toMatchObject({ body: { duplicate: false } });
  expect(await post(body)).toMatchObject({ status: 202, body: { duplicate: true } });
  expect(await post(body, { 'x-github-event': 'push' })).toMatchObject({ status: 202, body: { duplicate: true } });
  expect(await stored()).toHaveLength(1);
});

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Sends only the headers of a delivery with a body of 24 MB. Returns the response of the server. */
function announce(path: string, headers: Record<string, string> = {}) {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  sockets.push(socket);
  const lines = Object.entries({
    'content-length': `${24 * 1024 * 1024}`,
    'content-type': 'application/json',
    ...headers,
  });
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`,
  );
  return { socket, answer: once(socket, 'data').then(([data]) => String(data)), closed: once(socket, 'close') };
}
const signedForm = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` };

test('rejects an unknown sender before the body is sent, and closes the connection', async () => {
  const hook = randomUUID();
  for (const [path, headers, status] of [
    [`/api/webhooks/gitlab?hook=${hook}`, { 'x-gitlab-token': '0' }, 401],
    [`/api/webhooks/bitbucket?hook=${hook}`, { 'x-hub-signature': `sha256=${'0'.repeat(64)}` }, 401],
    [`/api/webhooks/gitlab/status-check?hook=${hook}`, { 'x-gitlab-signature': '0'.repeat(64) }, 401],
    [`/api/webhooks/checkmarx?hook=${hook}`, { ...signedForm, 'content-length': '1000000' }, 401],
    ['/api/webhooks/github', {}, 401],
    ['/api/webhooks/github', { ...signedForm, 'content-length': `${26 * 1024 * 1024}` }, 413],
    ['/api/webhooks/nowhere', signedForm, 404],
  ] as const) {
    const { answer, closed } = announce(path, headers);
    expect([path, await answer]).toEqual([path, expect.stringContaining(`HTTP/1.1 ${status} `)]);
    await closed;
  }
});

test('limits the bytes of concurrent bodies, and accepts more after they are released', async () => {
  const body = JSON.stringify({ installation: { id: installationId }, filling: 'x'.repeat(17 * 1024 * 1024) });
  const announced = [1, 2, 3].map(() => announce('/api/webhooks/github', signedForm));
  // The server receives two bodies and rejects the third.
  expect(await Promise.race(announced.map(({ answer }) => answer))).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 30/i);
  expect(await post(body)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(await post(star())).toMatchObject({ status: 202 });
  for (const { socket, answer } of announced) {
    answer.catch(() => undefined);
    socket.destroy();
  }
  await vi.waitFor(async () => expect(await post(body)).toMatchObject({ status: 202 }), { timeout: 10_000 });
});

test('accepts a form-encoded body', async () => {
  const body = `payload=${encodeURIComponent(star())}`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await post(body, headers)).status).toBe(202);
  expect(await stored()).toMatchObject([{ body }]);
});

test('stores nothing for an unsigned delivery', async () => {
  const body = star();
  const unsigned = { status: 401, body: { code: 'bad_signature' } };
  for (const signature of ['', 'sha256=', sign(`${body} `), sign(body).toUpperCase().replace('SHA256=', 'sha1=')]) {
    expect(await post(body, { 'x-hub-signature-256': signature }), signature).toMatchObject(unsigned);
  }
  // The signature is verified before any other check.
  expect(await post('not json', { 'x-hub-signature-256': 'sha256=00', 'x-github-event': '' })).toMatchObject(unsigned);
  expect(await stored()).toEqual([]);
  expect(await waitingJobs()).toEqual([]);
});

test('rejects an unreadable delivery', async () => {
  const wrong = { status: 400, body: { code: 'validation_failed' } };
  expect(await post(star(), { 'x-github-delivery': 'seven' })).toMatchObject(wrong);
  expect(await post(star(), { 'x-github-event': '' })).toMatchObject(wrong);
  for (const body of ['', 'null', '[]', '{', 'payload=%00', 'payload={}&x=\0', Buffer.from([0xff, 0xfe])]) {
    expect(await post(body), String(body)).toMatchObject(wrong);
  }
  expect(await post(star(), {}, 'nowhere')).toMatchObject({ status: 404 });
  // Without the ID of one of our webhooks.
  expect(await post(star(), {}, 'gitlab')).toMatchObject({ status: 401, body: { code: 'bad_signature' } });
  expect(await post(star(), {}, `gitlab?hook=${randomUUID()}`)).toMatchObject({ status: 401 });
  expect(await post(star(), { 'content-type': 'text/plain' })).toMatchObject({ status: 415 });
  expect(await stored()).toEqual([]);
});

test('accepts bodies up to the size limit of GitHub and rejects larger ones', { tags: 'full' }, async () => {
  const large = JSON.stringify({ installation: { id: installationId }, filling: 'x'.repeat(5_000_000) });
  expect((await post(large)).status).toBe(202);
  const tooLarge = Buffer.alloc(25 * 1024 * 1024 + 1, 0x20);
  expect(await post(tooLarge)).toMatchObject({ status: 413, body: { message: 'The body is larger than 25 MB.' } });
});

test('stores a delivery without an organization out of reach of any token', async () => {
  const id = randomUUID();
  for (const body of [{ installation: { id: 1 } }, { installation: { id: '1; x' } }, { zen: 'Keep it simple' }]) {
    expect((await post(JSON.stringify(body))).status).toBe(202);
  }
  expect(await post('{"hook_id":1}', { 'x-github-delivery': id, 'x-github-event': 'ping' })).toMatchObject({
    status: 202,
  });
  expect(await stored()).toEqual([]);
  expect((await stored(NIL_UUID)).map((row) => row.delivery_id)).toContain(id);
});

test('recognizes a newly bound installation at once', async () => {
  const body = JSON.stringify({ installation: { id: installationId + 1 } });
  await post(body);
  await server.services.database.withOrg(acme.id, ({ db }) =>
    db
      .updateTable('installation')
      .set({ installation_id: String(installationId + 1) })
      .execute(),
  );
  await post(body);
  expect(await stored()).toHaveLength(1);
});
