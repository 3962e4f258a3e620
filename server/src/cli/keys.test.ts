import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as nextTurn } from 'node:timers/promises';
import {
  createOutgoingWebhook,
  listOutgoingWebhooks,
  rotateOutgoingSecret,
  testOutgoingWebhook,
} from '@sightline/contract/delivery/outgoing-webhooks.ts';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rotateMasterKeyFile } from '#core/master-keys.ts';
import { createSecrets } from '#core/secrets.ts';
import { testMasterKey } from '#testing/databases.ts';
import { startTestServer, superuserUrl, type TestServer } from '#testing/server.ts';
import { type Receiver, startReceiver } from '../domains/delivery/outgoing-webhooks/testing/receiver.ts';
import { makePerson } from '../domains/identity/authentication/testing/people.ts';
import { addAuthenticatorApp, openSession } from '../domains/identity/second-factors/testing/session.ts';
import { operatorCliOf } from './testing/in-process.ts';

let receiver: Receiver;
let dataDir: string;
let server: TestServer;
beforeAll(async () => {
  receiver = await startReceiver();
  dataDir = await mkdtemp(join(tmpdir(), 'sightline-keys-'));
  await writeFile(join(dataDir, 'master.key'), testMasterKey, { mode: 0o600 });
  server = await startTestServer({ jobs: true, environment: { MASTER_KEY: '', DATA_DIR: dataDir } });
  await operator().ask('outbound', 'allow', receiver.url, '--purpose', 'webhook', '--all');
});
afterAll(async () => {
  await Promise.all([server?.close(), receiver?.close()]);
  await rm(dataDir, { recursive: true, force: true });
});

const operator = (environment: Record<string, string> = {}) =>
  operatorCliOf(server, { MASTER_KEY: undefined, DATA_DIR: dataDir, ...environment });

const currentKey = async () => Buffer.from(await readFile(join(dataDir, 'master.key'), 'utf8'), 'base64');

/** Returns every value of the database that is encrypted under a key, by table and column. */
async function sealedUnder(key: Buffer): Promise<Record<string, Buffer[]>> {
  const client = new pg.Client({ connectionString: superuserUrl(server.databaseUrl) });
  await client.connect();
  const { rows } = await client.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and data_type = 'bytea'`,
  );
  const found: Record<string, Buffer[]> = {};
  for (const { table, column } of rows) {
    const { rows: values } = await client.query<{ value: Buffer }>(
      `select "${column}" as value from "${table}" where substring("${column}" from 1 for 9) = $1`,
      [createSecrets(key).headerOf()],
    );
    if (values.length > 0) found[`${table}.${column}`] = values.map(({ value }) => value);
  }
  await client.end();
  return found;
}

async function makeWebhook(call: ReturnType<TestServer['as']>) {
  const { webhook, secret } = await call(createOutgoingWebhook, {
    body: { url: `${receiver.url}/${randomBytes(6).toString('hex')}` },
  });
  return { id: webhook.id, path: new URL(webhook.url).pathname, secret };
}

/** Sends a signed test of a webhook, which requires its decrypted secret. */
async function deliver(
  call: ReturnType<TestServer['as']>,
  { id, path, secret }: Awaited<ReturnType<typeof makeWebhook>>,
) {
  const before = receiver.at(path).length;
  await call(testOutgoingWebhook, { params: { webhookId: id } });
  await expect.poll(() => receiver.at(path).length, { timeout: 30_000 }).toBeGreaterThan(before);
  const last = receiver.at(path).at(-1);
  new Webhook(secret).verify(last?.body ?? '', last?.headers as Record<string, string>);
}

test('rotates the master key under load: no call fails, and the old key decrypts nothing', {
  tags: 'full',
  timeout: 180_000,
}, async () => {
  const org = await server.make.organization();
  const call = server.as(org.owner, org.id);
  await addAuthenticatorApp(await openSession(server, await makePerson(server)));
  const [unchanged, rotated] = [await makeWebhook(call), await makeWebhook(call)];
  const old = await currentKey();
  const sealedBefore = await sealedUnder(old);
  expect(Object.keys(sealedBefore)).toEqual(
    expect.arrayContaining([
      'account_totp.secret',
      'oidc_key.secret',
      'outgoing_webhook.secret_sealed',
      'person_key.key',
    ]),
  );

  const backup = join(dataDir, 'before');
  await operator({ DATABASE_BACKUP_URL: superuserUrl(server.databaseUrl) }).ask('backup', backup);

  let isRotating = true;
  const failures: unknown[] = [];
  const work = async (once: () => Promise<unknown>) => {
    let count = 0;
    for (; isRotating; count += 1) {
      await once().catch((error: unknown) => failures.push(error));
      // Gives CPU time to the rotation, which runs in this process too.
      await nextTurn(20);
    }
    return count;
  };
  const workers = [
    work(() => call(listOutgoingWebhooks, {})),
    work(async () => Object.assign(rotated, await call(rotateOutgoingSecret, { params: { webhookId: rotated.id } }))),
    work(() => server.make.organization()),
    work(() => deliver(call, unchanged)),
  ];
  const { keys } = await operator().ask<{ keys: { reencrypted: number } }>('keys', 'rotate-master');
  isRotating = false;
  const counts = await Promise.all(workers);
  expect(failures).toEqual([]);
  expect(Math.min(...counts)).toBeGreaterThan(0);

  const next = await currentKey();
  expect(next.equals(old)).toBe(false);
  expect((await stat(join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600);
  expect(keys.reencrypted).toBeGreaterThan(0);
  expect(await sealedUnder(old)).toEqual({});
  const sealedNow = await sealedUnder(next);
  expect(Object.keys(sealedNow)).toEqual(expect.arrayContaining(Object.keys(sealedBefore)));
  for (const sealed of Object.values(sealedNow).flat()) expect(() => createSecrets(old).rewrap(sealed)).toThrow();
  await deliver(call, rotated);

  // A backup from before the rotation needs the old key.
  expect(await operator({ MASTER_KEY: old.toString('base64') }).cli(['restore', backup, '--drill'])).toMatchObject({
    code: 0,
  });
  const wrong = await operator({ MASTER_KEY: next.toString('base64') }).cli(['restore', backup, '--drill']);
  expect(wrong.complaint).toContain('is not the master key of this backup');
});

test('decrypts everything with only the new key after the old one was retired', { tags: 'full' }, async () => {
  expect(await operator().ask('keys', 'retire-master')).toEqual({ keys: { retired: 1 } });
  await expect(stat(join(dataDir, 'master.key.previous'))).rejects.toThrow();
  const second = await startTestServer({ beside: server, environment: { MASTER_KEY: '', DATA_DIR: dataDir } });
  try {
    expect(await operatorCliOf(second, { MASTER_KEY: undefined, DATA_DIR: dataDir }).cli(['doctor'])).toMatchObject({
      code: 0,
    });
  } finally {
    await second.app.close();
  }
  expect(await operator().ask('keys', 'retire-master')).toEqual({ keys: { retired: 0 } });
});

test('resumes an interrupted rotation with the same new key', { tags: 'full', timeout: 180_000 }, async () => {
  await rotateMasterKeyFile(dataDir);
  const [next, old] = [
    await currentKey(),
    Buffer.from(await readFile(join(dataDir, 'master.key.previous'), 'utf8'), 'base64'),
  ];
  const early = await operator().cli(['keys', 'retire-master']);
  expect(early.complaint).toContain('secrets are encrypted with an old key');
  await operator().ask('keys', 'rotate-master');
  expect(await currentKey()).toEqual(next);
  expect(await sealedUnder(old)).toEqual({});
  await operator().ask('keys', 'retire-master');
});

test('re-encrypts with the key of the environment, and of a command', { tags: 'full', timeout: 180_000 }, async () => {
  const [old, next] = [await currentKey(), randomBytes(32)].map((key) => key.toString('base64'));
  const alone = await operator({ MASTER_KEY: old ?? '' }).cli(['keys', 'rotate-master']);
  expect(alone.complaint).toContain('Only one master key is configured.');
  const environment = { MASTER_KEY: next ?? '', MASTER_KEY_OTHERS: old ?? '' };
  await operator(environment).ask('keys', 'rotate-master');
  expect(await sealedUnder(Buffer.from(old ?? '', 'base64'))).toEqual({});

  const file = join(dataDir, 'kms');
  await writeFile(file, `${old}\n${next}\n`);
  await operator({ KEY_COMMAND: `cat ${file}` }).ask('keys', 'rotate-master');
  expect(await sealedUnder(Buffer.from(next ?? '', 'base64'))).toEqual({});
  const failing = await operator({ KEY_COMMAND: 'echo a secret; exit 3' }).cli(['keys', 'rotate-master']);
  expect(failing.complaint).toContain('KEY_COMMAND failed (exit code 3)');
  expect(failing.complaint).not.toContain('a secret');
  const both = await operator({ KEY_COMMAND: 'true', MASTER_KEY: next ?? '' }).cli(['keys', 'rotate-master']);
  expect(both.complaint).toContain('only one of them');
});

test('encrypts all secrets with the new key, and deletes the old one when it is retired', async () => {
  const org = await server.make.organization();
  await makeWebhook(server.as(org.owner, org.id));
  const old = await currentKey();
  expect(Object.keys(await sealedUnder(old))).toContain('outgoing_webhook.secret_sealed');
  await operator().ask('keys', 'rotate-master');
  expect(await sealedUnder(old)).toEqual({});
  expect(await operator().ask('keys', 'retire-master')).toEqual({ keys: { retired: 1 } });
  await expect(stat(join(dataDir, 'master.key.previous'))).rejects.toThrow();
});
