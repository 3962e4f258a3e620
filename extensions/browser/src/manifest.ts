import { developerSites } from '@sightline/contract/tools/sites.ts';
import type { UserManifest } from 'wxt';

const geckoId = 'browser@sightline.dev';

/**
 * What the extension may do. Without the `tabs` permission a browser tells addresses of permitted hosts only: the sites
 * below, those a person adds, and their own server. Private windows see nothing of it.
 */
export function manifestFor(browser: string, mode: string, version: string): UserManifest {
  return {
    name: 'Sightline',
    description: 'Reports the use of developer sites to your organization: hosts and sizes, never pages or text.',
    permissions: ['storage', 'alarms', 'scripting', 'idle', 'activeTab'],
    host_permissions: developerSites.map(({ host }) => `*://*.${host}/*`),
    optional_host_permissions: ['*://*/*'],
    incognito: 'not_allowed',
    icons: iconsOf([16, 32, 48, 128]),
    action: { default_title: 'Sightline', default_icon: iconsOf([16, 32]) },
    ...(browser === 'firefox' ? { browser_specific_settings: gecko } : chromiumOnes(browser, version)),
    // Firefox upgrades the development server's ws: to wss: otherwise.
    ...(mode === 'development' && {
      content_security_policy: { extension_pages: "script-src 'self'; object-src 'self';" },
    }),
  };
}

const brands: Record<string, string> = { chrome: 'Chrome', edge: 'Edge', opera: 'Opera', brave: 'Brave' };

/** Which package it is stands on the browser's page of extensions; Opera counts its versions its own way. */
const chromiumOnes = (browser: string, version: string) => ({
  minimum_chrome_version: '123',
  version_name: `${version} for ${brands[browser] ?? browser}`,
  ...(browser === 'opera' && { minimum_opera_version: '109' }),
});

const gecko = {
  gecko: {
    id: geckoId,
    strict_min_version: '142.0',
    data_collection_permissions: {
      required: ['browsingActivity', 'websiteActivity', 'authenticationInfo'],
    },
  },
};

const iconsOf = (sizes: number[]) => Object.fromEntries(sizes.map((size) => [size, `/icon/${size}.png`]));
