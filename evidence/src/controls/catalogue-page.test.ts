import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writeCatalogue } from './catalogue-page.ts';

test('docs/controls.md says what the catalogue says: else run `npm run controls`', () => {
  expect(readFileSync(new URL('../../../docs/controls.md', import.meta.url), 'utf8')).toBe(writeCatalogue());
});
