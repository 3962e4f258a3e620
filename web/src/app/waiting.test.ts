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
    urlOf('/api', getAccount, {}),
    urlOf('/api', getOrganization, {}),
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

test('requests the files of the page with those of the shell', () => {
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
  const links = [...document.head.querySelectorAll('link')];
  expect(links.map((link) => [link.rel, link.getAttribute('href')])).toEqual([
    ['modulepreload', '/assets/page.js'],
    ['preload', '/assets/page.css'],
  ]);
});
