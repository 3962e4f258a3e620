import { expect, test } from 'vitest';
import { parseGitRemote } from './remote.ts';

test.each([
  ['https://github.com/acme/api.git', 'github.com', 'acme/api'],
  ['https://ada:secret@GitHub.com:443/acme/api', 'github.com', 'acme/api'],
  ['git@github.com:acme/api.git', 'github.com', 'acme/api'],
  ['ssh://git@ssh.github.com:443/acme/api.git', 'github.com', 'acme/api'],
  ['git@work:acme/api.git', 'work', 'acme/api'],
  ['git@gitlab.com:acme/group/api.git', 'gitlab.com', 'acme/group/api'],
  ['github.com/acme/api', 'github.com', 'acme/api'],
  ['localhost:acme/api', 'localhost', 'acme/api'],
  ['http://localhost:4000/acme/api.git/', 'localhost', 'acme/api'],
])('parses %s', (address, host, path) => {
  expect(parseGitRemote(address)).toEqual({ host, path });
});

test.each([
  '',
  '/home/ada/api',
  '../api',
  'C:\\code\\api',
  'file:///home/ada/api',
  'https://github.com',
  'https://%',
  'acme',
])('returns nothing for %s', (address) => {
  expect(parseGitRemote(address)).toBeUndefined();
});
