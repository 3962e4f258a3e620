import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { connectionSecretLocation } from './connection-row.ts';

let server: TestServer;
let acme: TestOrganization;
let hook: string;
const secret = 'a secret of this organization';

beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  acme = await server.make.organization();
  hook = randomUUID();
  const { database, secrets } = server.services;
  await database.withOrg(acme.id, ({ db }) =>
    db
      .insertInto('integration')
      .values({
        org_id: acme.id,
        name: 'checkmarx',
        status: 'active',
        hook,
        created_by: acme.owner.id,
        settings: JSON.stringify({ tenant: 'acme', baseURL: 'https://a.example', typedURL: null, keyEnd: '' }),
        hook_secret: secrets.seal(connectionSecretLocation(acme.id, 'checkmarx', 'hook_secret'), Buffer.from(secret)),
      })
      .execute(),
  );
});

const body = JSON.stringify({ scanId: 's', projectId: 'p', statusInfo: [] });
const sign = (text: string, key = secret, how: 'hex' | 'base64' = 'base64') =>
  `sha256=${createHmac('sha256', key).update(text).digest(how)}`;
const post = async (text: string, signature: string, name = hook) => {
  const answer = await fetch(`${server.url}/api/webhooks/checkmarx?hook=${name}`, {
    method: 'POST',
    body: text,
    headers: {
      'content-type': 'application/json',
      'x-cx-webhook-event': 'scan_completed_successfully',
      'x-cx-webhook-signature': signature,
    },
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};
const storedDeliveries = () =>
  server.services.database.withOrg(acme.id, ({ db }) =>
    db.selectFrom('webhook_delivery').where('org_id', '=', acme.id).select(['provider', 'event', 'body']).execute(),
  );
const queuedSyncs = async () =>
  (
    await server.services.database.pool.query<{ data: unknown }>(
      `select data from pgboss.job where name = 'scanner.sync' and data ->> 'orgId' = $1`,
      [acme.id],
    )
  ).rows.map((row) => row.data);

test.each(['hex', 'base64'] as const)('stores a delivery signed in %s once and queues its project', async (how) => {
  expect(await post(body, sign(body, secret, how))).toEqual({
    status: 202,
    body: { accepted: true, duplicate: false },
  });
  expect(await post(body, sign(body, secret, how))).toEqual({ status: 202, body: { accepted: true, duplicate: true } });
  expect(await storedDeliveries()).toEqual([{ provider: 'checkmarx', event: 'scan_completed_successfully', body }]);
  expect(await queuedSyncs()).toMatchObject([{ orgId: acme.id, projectId: 'p' }]);
});

test('stores nothing without a valid signature of the organization', async () => {
  const unsigned = { status: 401, body: { code: 'bad_signature' } };
  for (const signature of ['', 'sha256=', sign(`${body} `), sign(body, 'another'), sign(body).slice(0, -4)]) {
    expect(await post(body, signature), signature).toMatchObject(unsigned);
  }
  for (const name of ['', 'x', randomUUID()]) expect(await post(body, sign(body), name)).toMatchObject(unsigned);
  expect(await storedDeliveries()).toEqual([]);
  expect(await queuedSyncs()).toEqual([]);
});

test('rejects a malformed body', async () => {
  const wrong = { status: 400, body: { code: 'validation_failed' } };
  for (const text of ['null', '[]', '{', '"x"', '{"a":"\0"}']) {
    expect(await post(text, sign(text)), text).toMatchObject(wrong);
  }
  expect(await storedDeliveries()).toEqual([]);
});

test('accepts no delivery after the connection ends', async () => {
  await server.services.database.withOrg(acme.id, ({ db }) =>
    db.updateTable('integration').set({ status: 'inactive' }).where('org_id', '=', acme.id).execute(),
  );
  expect(await post(body, sign(body))).toMatchObject({ status: 401 });
});
