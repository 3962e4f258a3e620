import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { updateOrganization } from '@sightline/contract/organization/organizations.ts';
import { expect, test } from 'vitest';
import { shareTestServer, startTestServer, type TestServer } from '#testing/server.ts';
import { readConfig } from './config.ts';

/** Returns the recorded address of a caller that claims 198.51.100.66 and whose proxy reports 203.0.113.7. */
async function recordedAddress(server: TestServer): Promise<string | null | undefined> {
  const { id, owner } = await server.make.organization();
  const answer = await fetch(`${server.url}/api${updateOrganization.path}`, {
    method: updateOrganization.method,
    headers: {
      authorization: `Bearer ${await server.token(owner, id)}`,
      'content-type': 'application/json',
      'x-forwarded-for': '198.51.100.66, 203.0.113.7',
    },
    body: JSON.stringify({ displayName: 'Kestrel', description: 'Payments' }),
  });
  expect(answer.status, await answer.text()).toBe(200);
  return server.services.database.withOrg(id, async ({ db }) => {
    const entry = await db
      .selectFrom('audit_event')
      .select('address')
      .where('address', 'is not', null)
      .executeTakeFirst();
    return entry?.address;
  });
}

test('reads the client address from the outermost trusted proxy and ignores additions of the client', async () => {
  const server = await startTestServer({ environment: { TRUST_PROXY: '1' } });
  try {
    expect(await recordedAddress(server)).toBe('203.0.113.7');
  } finally {
    await server.close();
  }
});

test('ignores forwarded addresses without a trusted proxy', async () => {
  const server = await shareTestServer();
  expect(await recordedAddress(server)).toBe('127.0.0.1');
  await server.close();
});

test.each(['true', 'yes', '1.5', '-1', '10.0.0.0/33', '10.0.0.0/0', 'proxy.example.org', '10.0.0.0/8/8'])(
  'refuses to start with TRUST_PROXY=%s and explains why',
  (value) => {
    expect(() => readConfig({ TRUST_PROXY: value })).toThrow(/TRUST_PROXY: must (not )?be/);
  },
);

test.each([
  ['false', false],
  ['2', 2],
  ['10.0.0.0/8, 2001:db8::/32,loopback', ['10.0.0.0/8', '2001:db8::/32', 'loopback']],
])('accepts TRUST_PROXY=%s', (value, expected) => {
  expect(readConfig({ TRUST_PROXY: value }).TRUST_PROXY).toEqual(expected);
});

test('limits the pool to the maximum of the built-in database', () => {
  expect(() => readConfig({ DATABASE_POOL: '31' })).toThrow('DATABASE_POOL: must be at most 30 with the built-in');
  expect(readConfig({ DATABASE_POOL: '31', DATABASE_URL: 'postgres://sightline@db/sightline' }).DATABASE_POOL).toBe(31);
});

test('reads a variable from the file that its _FILE names', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-secrets-'));
  const file = join(folder, 'metrics-token');
  await writeFile(file, 'a-token-for-metrics\n');
  const server = await startTestServer({ environment: { METRICS_TOKEN_FILE: file } });
  const headers = { authorization: 'Bearer a-token-for-metrics' };
  expect((await server.app.inject({ url: '/metrics', headers })).statusCode).toBe(200);
  await server.close();
  const both = { METRICS_TOKEN: 'a-token-for-metrics', METRICS_TOKEN_FILE: file };
  expect(() => readConfig(both)).toThrow('METRICS_TOKEN and METRICS_TOKEN_FILE: only one of them can be set');
  await rm(folder, { recursive: true });
  expect(() => readConfig({ METRICS_TOKEN_FILE: file })).toThrow(`METRICS_TOKEN_FILE: ${file} cannot be read (ENOENT)`);
});

test('refuses a CA file that Node.js would ignore', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-authorities-'));
  const file = join(folder, 'authority.pem');
  await writeFile(file, 'not a certificate\n');
  const problem = 'NODE_EXTRA_CA_CERTS: must name a readable file of certificates of authorities in PEM form';
  expect(() => readConfig({ NODE_EXTRA_CA_CERTS: file })).toThrow(problem);
  expect(() => readConfig({ NODE_EXTRA_CA_CERTS: join(folder, 'missing.pem') })).toThrow(problem);
  await rm(folder, { recursive: true });
});

test('accepts an egress proxy with credentials and refuses other protocols', () => {
  const { proxies } = readConfig({
    HTTPS_PROXY: 'http://ada:secret@proxy.example:3128',
    NO_PROXY: '.internal, 10.0.0.0/8',
  });
  expect(proxies).toEqual({
    https: 'http://ada:secret@proxy.example:3128',
    http: undefined,
    except: ['.internal', '10.0.0.0/8'],
  });
  expect(() => readConfig({ HTTPS_PROXY: 'socks5://proxy.example:1080' })).toThrow(
    'HTTPS_PROXY: must start with http://',
  );
});
