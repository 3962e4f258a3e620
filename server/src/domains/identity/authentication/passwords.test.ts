import { expect, test } from 'vitest';
import { readConfig } from '#config.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

const config = readConfig({});

test('verifies a password only against its own hash, in any Unicode composition', { tags: 'full' }, async () => {
  const hash = await hashPassword('pässword of mine', config);
  expect(hash).toMatch(/^scrypt\$65536\$8\$1\$/);
  expect(await verifyPassword('pässword of mine'.normalize('NFD'), hash, config)).toBe(true);
  expect(await verifyPassword('pässword of yours', hash, config)).toBe(false);
  expect(await hashPassword('pässword of mine', config)).not.toBe(hash);
});

test('rejects a password without a stored hash', { tags: 'full' }, async () => {
  expect(await verifyPassword('', undefined, config)).toBe(false);
});

test('verifies a hash at its own cost, regardless of the configuration', async () => {
  const hash = await hashPassword('pässword of mine', { PASSWORD_HASH_COST: 1024 });
  expect(hash).toMatch(/^scrypt\$1024\$8\$1\$/);
  expect(await verifyPassword('pässword of mine', hash, config)).toBe(true);
});

test('rejects a lower cost in production', () => {
  const withCost = (cost: string) => readConfig({ NODE_ENV: 'production', PASSWORD_HASH_COST: cost });
  expect(() => withCost('32768')).toThrow('PASSWORD_HASH_COST: must be at least 65536 in production');
  expect(withCost('131072')).toMatchObject({ PASSWORD_HASH_COST: 131_072 });
});
