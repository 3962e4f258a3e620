import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writeCatalog } from './catalog-page.ts';

test('keeps docs/controls.md equal to the catalog: run `npm run controls`', () => {
  expect(readFileSync(new URL('../../../docs/controls.md', import.meta.url), 'utf8')).toBe(writeCatalog());
});
