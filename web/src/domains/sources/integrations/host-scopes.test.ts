import { expect, test } from 'vitest';
import { coveredBy } from './host-scopes.ts';

const places = ['acme', 'acme/api', 'acme/api/core', 'acme-labs'].map((path) => ({ id: path, path }));
const picked = new Set(['acme']);

test.each([
  ['acme', undefined],
  ['acme/api', 'acme'],
  ['acme/api/core', 'acme'],
  // The name begins alike, and is another group.
  ['acme-labs', undefined],
])('reads %s with %s', (path, above) => {
  expect(coveredBy({ path }, places, picked)).toBe(above);
});
