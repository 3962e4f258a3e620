import { developerSites } from '@sightline/contract/tools/sites.ts';
import { expect, it } from 'vitest';
import { manifestFor } from './manifest.ts';

it('requests permission for developer sites only at installation', () => {
  const { permissions, host_permissions: hosts, incognito } = manifestFor('chrome', 'production', '1.0.0');
  expect(permissions).toEqual(['storage', 'alarms', 'scripting', 'idle', 'activeTab']);
  expect(hosts).toHaveLength(developerSites.length);
  expect(hosts?.every((pattern) => /^\*:\/\/\*\.[a-z0-9-]+(\.[a-z0-9-]+)+\/\*$/.test(pattern))).toBe(true);
  expect(incognito).toBe('not_allowed');
});

it('keeps the strict content security policy in packages', () => {
  expect(manifestFor('firefox', 'production', '1.0.0')).not.toHaveProperty('content_security_policy');
  expect(manifestFor('firefox', 'development', '1.0.0')).toHaveProperty('content_security_policy');
});

it('declares the collected data to Firefox', () => {
  const { browser_specific_settings: settings } = manifestFor('firefox', 'production', '1.0.0');
  expect(settings?.gecko?.data_collection_permissions?.required).toEqual([
    'browsingActivity',
    'websiteActivity',
    'authenticationInfo',
  ]);
});

it('names the browser of a package', () => {
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
