// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { urlOf } from '@sightline/contract/core/client.ts';
import { getAccount } from '@sightline/contract/identity/accounts.ts';
import { listFeatureFlags } from '@sightline/contract/identity/feature-flags.ts';
import { getOrganization, listOrganizations } from '@sightline/contract/organization/organizations.ts';
import { getExtensionStatus } from '@sightline/contract/tools/presence.ts';
import type { AnyRoute } from '@tanstack/react-router';
import { expect, test, vi } from 'vitest';
import { pageModules } from '../../chunks.ts';
import { createAppRouter } from './router.tsx';

// Rendered before any script: begin.js decides by the URL whether a frame follows.
const script = readFileSync(join(import.meta.dirname, '../../public/begin.js'), 'utf8');
const bare = new RegExp(/const bare =\s+\/(.+)\/;/.exec(script)?.[1]?.replaceAll('\\/', '/') ?? 'nothing was found');

const hasFrame = ({ id }: AnyRoute) => /^\/signed-in\/(organization|account)(\/|$)/.test(id);

const routes = Object.values<AnyRoute>(createAppRouter().routesByPath).filter(({ options }) => options.component);

test('requests the data of pages before any script', () => {
  const requestedUrls = [...script.matchAll(/'(\/api\/[^']+)'/g)].map(([, url]) => url);
  expect(requestedUrls).toEqual([
    urlOf('/api', getOrganization, {}),
    urlOf('/api', getAccount, {}),
    urlOf('/api', listOrganizations, { query: { include_invitations: 'true' } }),
    urlOf('/api', getExtensionStatus, {}),
    urlOf('/api', listFeatureFlags, { query: {} }),
  ]);
});

test.each(routes.map((route) => [route.fullPath, route] as const))(
  'shows the frame of %s exactly if the page has one',
  (path, route) => {
    expect(bare.test(path.replaceAll('$', 'a'))).toBe(!hasFrame(route));
  },
);

test('shows the same notice of generated data before the page as with it', () => {
  const textIn = (file: string, pattern: RegExp) =>
    pattern
      .exec(readFileSync(join(import.meta.dirname, file), 'utf8'))?.[1]
      ?.replaceAll(/\s+/g, ' ')
      .trim();
  const early = textIn('../../index.html', /<p id="waiting-demo"[^>]*>(.+?)<\/p>/s);
  expect(early).toMatch(/^<b>Demo data/);
  expect(early).toBe(textIn('../domains/organization/organizations/DemoBanner.tsx', /<p>(.+?)<\/p>/s));
});

test.each([true, false])('shows it if the organization says so: %s', async (isDemo) => {
  document.documentElement.removeAttribute('data-demo');
  const claims = { orgID: 'one', exp: Date.now() / 1000 + 60 };
  localStorage.setItem('accessToken', `.${btoa(JSON.stringify(claims))}.`);
  const json = vi.fn(() => Promise.resolve({ isDemo }));
  vi.stubGlobal('fetch', () => Promise.resolve({ clone: () => ({ json }) }));
  new Function(script)();
  // Checked in a later task than the call, so after what follows from its answer.
  await vi.waitUntil(() => json.mock.calls.length > 0);
  expect(document.documentElement.hasAttribute('data-demo')).toBe(isDemo);
});

test('requests the files of the page with those of the shell', async () => {
  const paths = routes.filter(hasFrame).map(({ fullPath }) => fullPath);
  expect(paths).toEqual(expect.arrayContaining(Object.keys(pageModules)));

  const claims = { orgID: 'one', exp: Date.now() / 1000 + 60 };
  localStorage.setItem('accessToken', `.${btoa(JSON.stringify(claims))}.`);
  const list = document.createElement('script');
  list.type = 'application/json';
  list.id = 'page-files';
  list.textContent = JSON.stringify({
    files: ['assets/other.js', 'assets/page.js', 'assets/page.css'],
    pages: { '/other': [0], [location.pathname]: [1, 2] },
  });
  document.head.append(list);
  vi.stubGlobal('fetch', () => Promise.resolve(new Response()));
  new Function(script)();
  const requested = () => [...document.head.querySelectorAll('link')];
  await vi.waitUntil(() => requested().length > 1);
  expect(requested().map((link) => [link.rel, link.getAttribute('href')])).toEqual([
    ['modulepreload', '/assets/page.js'],
    ['preload', '/assets/page.css'],
  ]);
});
