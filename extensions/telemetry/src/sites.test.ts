import { developerSites } from '@sightline/contract/tools/sites.ts';
import { expect, test } from 'vitest';
import { siteOf } from './sites.ts';

const allowed = ['github.com', 'atlassian.net', 'localhost'];

test.each([
  ['https://github.com/acme/api/pull/7/files?w=1#r1', { host: 'github.com', site: 'github.com', kind: 'pull_request' }],
  ['https://gist.github.com/ada/1', { host: 'gist.github.com', site: 'github.com', kind: 'other' }],
  ['https://github.com/acme/api/issues/3', { host: 'github.com', site: 'github.com', kind: 'issue' }],
  ['https://github.com/acme/api/blob/main/src/a.ts', { host: 'github.com', site: 'github.com', kind: 'file' }],
  ['https://github.com/search?q=secret', { host: 'github.com', site: 'github.com', kind: 'search' }],
  ['https://acme.atlassian.net/browse/API-12', { host: 'acme.atlassian.net', site: 'atlassian.net', kind: 'issue' }],
  ['HTTPS://user:secret@GITHUB.com:443/', { host: 'github.com', site: 'github.com', kind: 'other' }],
  ['http://localhost:3000/a', { host: 'localhost', site: 'localhost', kind: 'other' }],
  ['https://github.com./', { host: 'github.com', site: 'github.com', kind: 'other' }],
  ['https://notgithub.com/', undefined],
  ['https://github.com.evil.example/', undefined],
  ['https://example.org/github.com', undefined],
  ['https://example.org/?https://github.com/', undefined],
  ['ftp://github.com/', undefined],
  ['about:blank', undefined],
  ['chrome-extension://github.com/popup.html', undefined],
  ['file:///home/ada/github.com', undefined],
  ['javascript:alert(1)//github.com', undefined],
  ['view-source:https://github.com/', undefined],
  ['', undefined],
])('%s', (url, expected) => {
  expect(siteOf(url, allowed)).toEqual(expected);
});

test('covers the address of every listed site', () => {
  const hosts = developerSites.map(({ host }) => host);
  expect(new Set(hosts).size).toBe(hosts.length);
  for (const host of hosts) expect(siteOf(`https://${host}/`, hosts)?.site).toBe(host);
});
