import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSecrets, loadMasterKey } from './secrets.ts';

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
  const [one, two] = await Promise.all([loadMasterKey(undefined, folder), loadMasterKey(undefined, folder)]);
  expect(one).toEqual(two);
  const file = join(folder, 'master.key');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(Buffer.from(await readFile(file, 'utf8'), 'base64')).toEqual(one);
  await rm(folder, { recursive: true });
});
