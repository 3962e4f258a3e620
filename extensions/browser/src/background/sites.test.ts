import { developerSites } from '@sightline/contract/tools/sites.ts';
import { beforeEach, expect, it } from 'vitest';
import { kept } from '../storage.ts';
import { type BrowserScene, scene } from '../testing/scene.ts';
import { addSite, allowedSites, chosenSites, removeSite, resetSites, siteRows, watchClipboard } from './sites.ts';

let at: BrowserScene;
beforeEach(async () => {
  at = await scene();
});

it('starts with built-in sites, then those of the server, until they are edited', async () => {
  expect(await chosenSites()).toEqual(developerSites.map(({ host }) => host));
  await kept.set('offered', ['github.com', 'git.acme.example']);
  expect(await chosenSites()).toEqual(['github.com', 'git.acme.example']);
  await addSite('https://www.Wiki.example/page?x=1');
  await removeSite('github.com');
  expect(await chosenSites()).toEqual(['git.acme.example', 'wiki.example']);
  await resetSites();
  expect(await chosenSites()).toEqual(['github.com', 'git.acme.example']);
});

it.each(['', 'not a host', 'file:///etc/passwd', '*', 'javascript:alert(1)'])(
  'adds no site for "%s"',
  async (typed) => {
    expect(await addSite(typed)).toBe(false);
    expect(await kept.get('sites')).toBeUndefined();
  },
);

it('keeps an emptied list empty', async () => {
  for (const { host } of developerSites) await removeSite(host);
  expect(await chosenSites()).toEqual([]);
  await watchClipboard(true);
  expect(at.scripts.size).toBe(0);
});

it('runs its content script on permitted sites only, and on none after sign-out', async () => {
  await kept.set('sites', ['github.com', 'gitlab.com']);
  at.permitted = new Set(
    ['https', 'http'].flatMap((scheme) => [`${scheme}://github.com/*`, `${scheme}://*.github.com/*`]),
  );
  expect(await allowedSites()).toEqual(['github.com']);
  expect((await siteRows()).map(({ host, permitted }) => [host, permitted])).toEqual([
    ['github.com', true],
    ['gitlab.com', false],
  ]);
  await watchClipboard(true);
  expect(at.scripts.get('clipboard')?.matches?.join()).not.toContain('gitlab');
  await watchClipboard(false);
  expect(at.scripts.size).toBe(0);
});
