// @vitest-environment happy-dom
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { sourceLinks } from '../../../server/src/features/controls/source-links.ts';
import { sourceFiles } from '../../../server/src/house/source-files.ts';
import { router } from './router.tsx';

/** The route that draws a page of the product; undefined for an address that has none but the profile's `/$handle`. */
function pageAt(href: string): string | undefined {
  const { pathname } = new URL(href, 'http://sightline.example');
  const { foundRoute } = router.getMatchedRoutes(pathname);
  return foundRoute && !foundRoute.fullPath.startsWith('/$') ? foundRoute.fullPath : undefined;
}

test.each(Object.entries(sourceLinks).flatMap(([source, href]) => (href === null ? [] : [[source, href] as const])))(
  'missing evidence of %s links to a page: %s',
  (_source, href) => {
    expect(pageAt(href)).toBeDefined();
  },
);

test('links that never had a page are told from those that have one', () => {
  expect(pageAt('/organization/integrations')).toBeUndefined();
  expect(pageAt('/integrations')).toBe('/integrations');
});

// Pages of the server itself.
const ofServer = /^\/(oidc|downloads|api)\//;

test('every link in answers and notifications of the server leads to a page', async () => {
  const missing: string[] = [];
  let count = 0;
  for (const { path, url } of await sourceFiles(['server/src/features'])) {
    const text = await readFile(url, 'utf8');
    for (const [line] of text.matchAll(/\b(?:link|href): .*/g)) {
      for (const [, found = ''] of line.matchAll(/['`](\/[^'`]*)['`]/g)) {
        const href = found.replace(/\$\{[^}]*\}/g, '0198c0de-0000-7000-8000-000000000001');
        if (ofServer.test(href)) continue;
        count += 1;
        if (pageAt(href) === undefined) missing.push(`${path}: ${found}`);
      }
    }
  }
  expect(count).toBeGreaterThan(25);
  expect(missing).toEqual([]);
});
