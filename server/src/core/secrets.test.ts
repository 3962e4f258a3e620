import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readConfig } from '#config.ts';
import { createTestDatabase, testMasterKey } from '#testing/databases.ts';
import { composeServices } from '../compose.ts';
import { createLog } from './log.ts';
import { type MasterKeys, openMasterKeys } from './master-keys.ts';
import { createSecrets } from './secrets.ts';

const location = { org: 'a', table: 'integration', field: 'key' };
const plain = Buffer.from('a key of a scanner');

test('opens a sealed secret and seals the same value differently each time', () => {
  const secrets = createSecrets(randomBytes(32));
  const [one, two] = [secrets.seal(location, plain), secrets.seal(location, plain)];
  expect(secrets.open(location, one)).toEqual(plain);
  expect(one.equals(two)).toBe(false);
  expect(one.includes(plain)).toBe(false);
});

test('refuses a secret moved to another organization, table or field', () => {
  const secrets = createSecrets(randomBytes(32));
  const sealed = secrets.seal(location, plain);
  for (const moved of [
    { ...location, org: 'b' },
    { ...location, table: 'x' },
    { ...location, field: 'x' },
  ]) {
    expect(() => secrets.open(moved, sealed)).toThrow();
  }
});

test('refuses a secret with any byte changed, truncated, or under another master key', () => {
  const secrets = createSecrets(randomBytes(32));
  const sealed = secrets.seal(location, plain);
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8((changed[index] ?? 0) ^ 1, index);
    expect(() => secrets.open(location, changed)).toThrow();
  }
  expect(() => secrets.open(location, sealed.subarray(0, -1))).toThrow();
  expect(() => createSecrets(randomBytes(32)).open(location, sealed)).toThrow();
});

test('creates the master key once, readable by its owner only, also on concurrent starts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-key-'));
  const open = async () => (await openMasterKeys({ dataDir: folder }, async () => true)).read().current;
  const [one, two] = await Promise.all([open(), open()]);
  expect(one).toEqual(two);
  const file = join(folder, 'master.key');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(Buffer.from(await readFile(file, 'utf8'), 'base64')).toEqual(one);
  await rm(folder, { recursive: true });
});

test('creates no master key beside a database that holds secrets', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-key-'));
  const url = await createTestDatabase(testMasterKey);
  const config = readConfig({ DATA_DIR: folder, DATABASE_URL: url, PUBLIC_URL: 'http://localhost:1' });
  const started = composeServices(config, url, createLog('silent'));
  await expect(started).rejects.toThrow(`${join(folder, 'master.key')} is missing`);
  await expect(stat(join(folder, 'master.key'))).rejects.toThrow('ENOENT');
  await rm(folder, { recursive: true });
});

test('opens secrets sealed under a key that the source received later, and seals under a new current key', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const [old, next] = [randomBytes(32), randomBytes(32)];
    let keys: MasterKeys = { current: old, others: [] };
    let stamp = 'old';
    const secrets = createSecrets({ read: () => keys, stamp: () => stamp });
    const before = secrets.seal(location, plain);
    const elsewhere = createSecrets(next).seal(location, plain);
    expect(() => secrets.open(location, elsewhere)).toThrow('which is not available');
    keys = { current: next, others: [old] };
    vi.advanceTimersByTime(1_500);
    expect(secrets.open(location, elsewhere)).toEqual(plain);
    expect(secrets.open(location, before)).toEqual(plain);

    const third = randomBytes(32);
    keys = { current: third, others: [next] };
    stamp = 'third';
    vi.advanceTimersByTime(1_500);
    expect(createSecrets(third).open(location, secrets.seal(location, plain))).toEqual(plain);
    expect(createSecrets(third).open(location, secrets.rewrap(elsewhere))).toEqual(plain);
    expect(() => secrets.open(location, before)).toThrow('which is not available');
  } finally {
    vi.useRealTimers();
  }
});
