import { expect, test } from 'vitest';
import { coveringScopePath } from './host-scopes.ts';

const scopes = ['acme', 'acme/api', 'acme/api/core', 'acme-labs'].map((path) => ({ id: path, path }));
const picked = new Set(['acme']);

test.each([
  ['acme', undefined],
  ['acme/api', 'acme'],
  ['acme/api/core', 'acme'],
  // A different group with the same prefix.
  ['acme-labs', undefined],
])('returns for %s the covering scope %s', (path, covering) => {
  expect(coveringScopePath({ path }, scopes, picked)).toBe(covering);
});
