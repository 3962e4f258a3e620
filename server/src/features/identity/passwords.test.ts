import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './passwords.ts';

test('a password belongs to its own hash only, however it is composed', async () => {
  const hash = await hashPassword('pässword of mine');
  expect(hash).toMatch(/^scrypt\$65536\$8\$1\$/);
  expect(await verifyPassword('pässword of mine'.normalize('NFD'), hash)).toBe(true);
  expect(await verifyPassword('pässword of yours', hash)).toBe(false);
  expect(await hashPassword('pässword of mine')).not.toBe(hash);
});

test('without a hash the answer is no', async () => {
  expect(await verifyPassword('', undefined)).toBe(false);
});
