import { developerSites } from '@sightline/contract/tools/sites.ts';
import { beforeEach, expect, it } from 'vitest';
import { localState } from '../storage.ts';
import { type BrowserScene, startBackground } from '../testing/scene.ts';
import {
  addSite,
  configuredSites,
  permittedSites,
  registerClipboardScript,
  removeSite,
  resetSites,
  siteRows,
} from './sites.ts';

let at: BrowserScene;
beforeEach(async () => {
  at = await startBackground();
});

it('starts with built-in sites, then those of the server, until they are edited', async () => {
  expect(await configuredSites()).toEqual(developerSites.map(({ host }) => host));
  await localState.set('defaultSites', ['github.com', 'git.acme.example']);
  expect(await configuredSites()).toEqual(['github.com', 'git.acme.example']);
  await addSite('https://www.Wiki.example/page?x=1');
  await removeSite('github.com');
  expect(await configuredSites()).toEqual(['git.acme.example', 'wiki.example']);
  await resetSites();
  expect(await configuredSites()).toEqual(['github.com', 'git.acme.example']);
});

it.each(['', 'not a host', 'file:///etc/passwd', '*', 'javascript:alert(1)'])(
  'adds no site for "%s"',
  async (typed) => {
    expect(await addSite(typed)).toBe(false);
    expect(await localState.get('sites')).toBeUndefined();
  },
);

it('keeps an emptied list empty', async () => {
  for (const { host } of developerSites) await removeSite(host);
  expect(await configuredSites()).toEqual([]);
  await registerClipboardScript(true);
  expect(at.scripts.size).toBe(0);
});

it('runs its content script on permitted sites only, and on none after sign-out', async () => {
  await localState.set('sites', ['github.com', 'gitlab.com']);
  at.permitted = new Set(
    ['https', 'http'].flatMap((scheme) => [`${scheme}://github.com/*`, `${scheme}://*.github.com/*`]),
  );
  expect(await permittedSites()).toEqual(['github.com']);
  expect((await siteRows()).map(({ host, permitted }) => [host, permitted])).toEqual([
    ['github.com', true],
    ['gitlab.com', false],
  ]);
  await registerClipboardScript(true);
  expect(at.scripts.get('clipboard')?.matches?.join()).not.toContain('gitlab');
  await registerClipboardScript(false);
  expect(at.scripts.size).toBe(0);
});
