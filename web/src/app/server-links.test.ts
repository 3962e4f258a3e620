// @vitest-environment happy-dom
import { integrationCategories } from '@sightline/contract/sources/integrations.ts';
import { expect, test } from 'vitest';
import { readSourceFiles } from '../../../server/src/architecture/source-files.ts';
import { sourceLinks } from '../../../server/src/domains/compliance/controls/source-links.ts';
import { createAppRouter } from './router.tsx';

const router = createAppRouter();

/** The route of a URL; undefined for one without a page other than the profile's `/$handle`. */
function pageAt(href: string): string | undefined {
  const { pathname } = new URL(href, 'http://sightline.example');
  const [, { category }, route] = router.getMatchedRoutes(pathname);
  const isRefused = category !== undefined && !integrationCategories.some((one) => one === category);
  // The router also returns the closest route.
  const isWhole = route?.fullPath.endsWith('/$') || segmentsOf(route?.fullPath) === segmentsOf(pathname);
  return route && isWhole && !isRefused && !route.fullPath.startsWith('/$') ? route.fullPath : undefined;
}

const segmentsOf = (path = ''): number => path.split('/').filter(Boolean).length;

test.each(Object.entries(sourceLinks).flatMap(([source, href]) => (href === null ? [] : [[source, href] as const])))(
  'links missing evidence of %s to a page: %s',
  (_source, href) => {
    expect(pageAt(href)).toBeDefined();
  },
);

test('distinguishes links that never had a page', () => {
  expect(pageAt('/organization/integrations')).toBeUndefined();
  expect(pageAt('/integrations/nothing')).toBeUndefined();
  expect(pageAt('/integrations')).toBe('/integrations');
});

// Pages of the server itself.
const ofServer = /^\/(oidc|downloads|api)\//;

test('resolves every link in responses and notifications of the server to a page', async () => {
  const missing: string[] = [];
  let count = 0;
  for (const { path, text } of await readSourceFiles([
    'server/src/domains',
    'contract/src/delivery/notification-types',
  ])) {
    for (const [line] of text.matchAll(/\b(?:link|href): .*/g)) {
      for (const [, found = ''] of line.matchAll(/['`](\/[^'`]*)['`]/g)) {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a template
        const href = found.replace('${category}', integrationCategories[0]).replace(/\$\{[^}]*\}/g, 'id');
        if (ofServer.test(href)) continue;
        count += 1;
        if (pageAt(href) === undefined) missing.push(`${path}: ${found}`);
      }
    }
  }
  expect(count).toBeGreaterThan(25);
  expect(missing).toEqual([]);
});
