import { developerSites } from '@sightline/contract/tools/sites.ts';
import type { UserManifest } from 'wxt';

const geckoId = 'browser@sightline.dev';

/**
 * The permissions of the extension. Without the `tabs` permission browsers report URLs of permitted hosts only: the
 * sites below, added sites, and the server. It cannot access private windows.
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
    // Otherwise Firefox would upgrade ws: of the development server to wss:.
    ...(mode === 'development' && {
      content_security_policy: { extension_pages: "script-src 'self'; object-src 'self';" },
    }),
  };
}

const brands: Record<string, string> = { chrome: 'Chrome', edge: 'Edge', opera: 'Opera', brave: 'Brave' };

/** The browser's extension page shows which package is installed. Opera has a version numbering of its own. */
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
