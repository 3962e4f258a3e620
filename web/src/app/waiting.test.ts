// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { urlOf } from '@sightline/contract/core/client.ts';
import { getAccount } from '@sightline/contract/identity/accounts.ts';
import { listFeatureFlags } from '@sightline/contract/identity/feature-flags.ts';
import { getOrganization, listOrganizations } from '@sightline/contract/organization/organizations.ts';
import { getExtensionStatus } from '@sightline/contract/tools/presence.ts';
import type { AnyRoute } from '@tanstack/react-router';
import { expect, test } from 'vitest';
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
