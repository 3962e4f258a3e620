import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readConfig } from '#config.ts';
import { createTestDatabase, testMasterKey } from '#testing/databases.ts';
import { compose } from '../compose.ts';
import { createLog } from './log.ts';
import { type MasterKeys, openMasterKeys } from './master-keys.ts';
import { createSecrets } from './secrets.ts';

const place = { org: 'a', table: 'integration', field: 'key' };
const plain = Buffer.from('a key of a scanner');

test('opens a sealed secret and seals the same value differently each time', () => {
  const secrets = createSecrets(randomBytes(32));
  const [one, two] = [secrets.seal(place, plain), secrets.seal(place, plain)];
  expect(secrets.open(place, one)).toEqual(plain);
  expect(one.equals(two)).toBe(false);
  expect(one.includes(plain)).toBe(false);
});

test('refuses a secret moved to another organization, table or field', () => {
  const secrets = createSecrets(randomBytes(32));
  const sealed = secrets.seal(place, plain);
  for (const moved of [
    { ...place, org: 'b' },
    { ...place, table: 'x' },
    { ...place, field: 'x' },
  ]) {
    expect(() => secrets.open(moved, sealed)).toThrow();
  }
});

test('refuses a secret with any byte changed, truncated, or under another master key', () => {
  const secrets = createSecrets(randomBytes(32));
  const sealed = secrets.seal(place, plain);
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8((changed[index] ?? 0) ^ 1, index);
    expect(() => secrets.open(place, changed)).toThrow();
  }
  expect(() => secrets.open(place, sealed.subarray(0, -1))).toThrow();
  expect(() => createSecrets(randomBytes(32)).open(place, sealed)).toThrow();
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
  const started = compose(config, url, createLog('silent'));
  await expect(started).rejects.toThrow(`${join(folder, 'master.key')} is missing`);
  await expect(stat(join(folder, 'master.key'))).rejects.toThrow('ENOENT');
  await rm(folder, { recursive: true });
});

test('opens what is sealed under a key that its source has only by now, and seals under it once the source says so', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const [old, next] = [randomBytes(32), randomBytes(32)];
    let keys: MasterKeys = { current: old, others: [] };
    let stamp = 'old';
    const secrets = createSecrets({ read: () => keys, stamp: () => stamp });
    const before = secrets.seal(place, plain);
    const elsewhere = createSecrets(next).seal(place, plain);
    expect(() => secrets.open(place, elsewhere)).toThrow('which is not available');
    keys = { current: next, others: [old] };
    vi.advanceTimersByTime(1_500);
    expect(secrets.open(place, elsewhere)).toEqual(plain);
    expect(secrets.open(place, before)).toEqual(plain);

    const third = randomBytes(32);
    keys = { current: third, others: [next] };
    stamp = 'third';
    vi.advanceTimersByTime(1_500);
    expect(createSecrets(third).open(place, secrets.seal(place, plain))).toEqual(plain);
    expect(createSecrets(third).open(place, secrets.rewrap(elsewhere))).toEqual(plain);
    expect(() => secrets.open(place, before)).toThrow('which is not available');
  } finally {
    vi.useRealTimers();
  }
});
