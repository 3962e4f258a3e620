import { expect, test } from 'vitest';
import { repositoryHref, repositoryTabs } from '#lib/repository-href.ts';
import { parseRepositoryAddress } from './address.ts';

const splatOf = (href: string) => href.split('/').slice(3).map(decodeURIComponent).join('/');

test.each(['acme/api', 'group/sub/settings', 'acme/-', 'group/-/contributors-api', 'a b/c#d'])(
  'parses the address of every tab of %s',
  (fullName) => {
    for (const tab of repositoryTabs) {
      const href = repositoryHref({ provider: 'gitlab', fullName }, tab);
      expect(parseRepositoryAddress('gitlab', splatOf(href))).toEqual({ provider: 'gitlab', repoPath: fullName, tab });
    }
  },
);

test('omits the tab from the address of the first one', () => {
  expect(repositoryHref({ provider: 'github', fullName: 'acme/api' }, 'pull-requests')).toBe(
    '/repository/github/acme/api',
  );
});

test.each([
  ['svn', 'acme/api'],
  ['github', 'acme'],
  ['github', ''],
])('rejects %s %s as a repository', (provider, path) => {
  expect(parseRepositoryAddress(provider, path)).toBeUndefined();
});
