import { developerSites } from '@sightline/contract/sites.ts';
import { expect, it } from 'vitest';
import { manifestFor } from './manifest.ts';

it('asks at installation for sites of developers and for nothing of other pages', () => {
  const { permissions, host_permissions: hosts, incognito } = manifestFor('chrome', 'production', '1.0.0');
  expect(permissions).toEqual(['storage', 'alarms', 'scripting', 'idle', 'activeTab']);
  expect(hosts).toHaveLength(developerSites.length);
  expect(hosts?.every((pattern) => /^\*:\/\/\*\.[a-z0-9-]+(\.[a-z0-9-]+)+\/\*$/.test(pattern))).toBe(true);
  expect(incognito).toBe('not_allowed');
});

it('keeps the strict policy of browsers in what people install', () => {
  expect(manifestFor('firefox', 'production', '1.0.0')).not.toHaveProperty('content_security_policy');
  expect(manifestFor('firefox', 'development', '1.0.0')).toHaveProperty('content_security_policy');
});

it('tells Firefox which data it gathers', () => {
  const { browser_specific_settings: settings } = manifestFor('firefox', 'production', '1.0.0');
  expect(settings?.gecko?.data_collection_permissions?.required).toEqual([
    'browsingActivity',
    'websiteActivity',
    'authenticationInfo',
  ]);
});

it('says which browser a package is for', () => {
  const of = (browser: string) => manifestFor(browser, 'production', '1.2.0') as Record<string, unknown>;
  expect(['chrome', 'edge', 'opera', 'brave', 'firefox'].map((browser) => of(browser).version_name)).toEqual([
    '1.2.0 for Chrome',
    '1.2.0 for Edge',
    '1.2.0 for Opera',
    '1.2.0 for Brave',
    undefined,
  ]);
  expect(of('opera').minimum_opera_version).toBe('109');
  expect(of('brave')).not.toHaveProperty('minimum_opera_version');
});
