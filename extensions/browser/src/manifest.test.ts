import { developerSites } from '@sightline/contract/sites.ts';
import { expect, it } from 'vitest';
import { manifestFor } from './manifest.ts';

it('asks at installation for sites of developers and for nothing of other pages', () => {
  const { permissions, host_permissions: hosts, incognito } = manifestFor('chrome', 'production');
  expect(permissions).toEqual(['storage', 'alarms', 'scripting', 'idle', 'activeTab']);
  expect(hosts).toHaveLength(developerSites.length);
  expect(hosts?.every((pattern) => /^\*:\/\/\*\.[a-z0-9-]+(\.[a-z0-9-]+)+\/\*$/.test(pattern))).toBe(true);
  expect(incognito).toBe('not_allowed');
});

it('keeps the strict policy of browsers in what people install', () => {
  expect(manifestFor('firefox', 'production')).not.toHaveProperty('content_security_policy');
  expect(manifestFor('firefox', 'development')).toHaveProperty('content_security_policy');
});

it('tells Firefox which data it gathers', () => {
  const { browser_specific_settings: settings } = manifestFor('firefox', 'production');
  expect(settings?.gecko?.data_collection_permissions?.required).toEqual([
    'browsingActivity',
    'websiteActivity',
    'authenticationInfo',
  ]);
});
