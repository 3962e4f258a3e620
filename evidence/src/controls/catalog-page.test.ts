import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalogHashModule, writeCatalog } from './catalog-page.ts';

test('keeps docs/controls.md equal to the catalog: run `npm run controls`', () => {
  expect(readFileSync(new URL('../../../docs/controls.md', import.meta.url), 'utf8')).toBe(writeCatalog());
});

test('keeps the hash of the catalog in the second verifier: run `npm run controls`', () => {
  expect(readFileSync(new URL('../../second/catalog.py', import.meta.url), 'utf8')).toBe(catalogHashModule());
});
