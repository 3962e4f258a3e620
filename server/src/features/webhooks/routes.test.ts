import { createHmac, randomUUID } from 'node:crypto';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type SandboxGithub, startSandboxGithub, webhookSecret } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { nobody } from './nobody.ts';

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
const star = () => JSON.stringify({ action: 'created', installation: { id: installationId }, note: 'Ü "\u2028' });
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
  for (const again of [body, other]) {
    expect(await post(again, headers)).toEqual({ status: 202, body: { accepted: true, duplicate: true } });
  }
  expect(await stored()).toEqual([row]);
  await vi.waitFor(async () => expect(await waitingJobs()).toEqual([acme.id]));
});

test('stores all of many concurrent deliveries and queues few jobs', async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, () => post(star())));
  expect(answers.filter(({ status, body }) => status === 202 && body.duplicate === false)).toHaveLength(100);
  expect(await stored()).toHaveLength(100);
  // Nobody works here: one waits, and the others that were asked for are the same.
  await vi.waitFor(async () => expect(await waitingJobs()).toEqual([acme.id]));
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
  // Checked before anything else is looked at.
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
  // Signed by no webhook of ours.
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
  expect((await stored(nobody)).map((row) => row.delivery_id)).toContain(id);
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
