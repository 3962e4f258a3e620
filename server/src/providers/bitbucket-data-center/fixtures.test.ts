import { expect, test } from 'vitest';
import { changesFrom, diffsFrom } from './diff-shapes.ts';
import permissions from './fixtures/find_user_permission.json' with { type: 'json' };
import approved from './fixtures/pr_approved.json' with { type: 'json' };
import diff from './fixtures/pr_diff.json' with { type: 'json' };
import repositories from './fixtures/repos.json' with { type: 'json' };
import { pullRequestFrom, statusesFrom } from './pull-request-shapes.ts';
import { maybeUser, repositoryFrom } from './shapes.ts';

test('reads the published examples of repositories, permissions and pull requests', () => {
  expect(repositories.values.map((json) => repositoryFrom(json, 'trunk'))).toEqual([
    {
      id: '1@example.com:7990',
      owner: 'PRJ',
      name: 'my-repo',
      fullName: 'PRJ/my-repo',
      defaultBranch: 'trunk',
      isPrivate: true,
      url: 'http://example.com:7990/projects/PRJ/repos/my-repo',
      pushedAt: null,
    },
  ]);
  expect(maybeUser.parse(permissions.values[0]?.user)).toMatchObject({ login: 'jcitizen', hostId: '101' });
  expect(pullRequestFrom(approved.pullRequest)).toMatchObject({ number: 1, state: 'in-progress', headRef: 'a-branch' });
  expect(statusesFrom(approved.pullRequest).get('user')).toEqual({
    status: 'APPROVED',
    sha: 'ef8755f06ee4b28c96a847a95cb8ec8ed6ddd1ca',
  });
});

test('reads the published example of a difference', () => {
  const { items, isWhole } = diffsFrom(diff);
  expect(isWhole).toBe(true);
  expect(items).toEqual([
    {
      path: 'main.go',
      previousPath: null,
      status: 'added',
      additions: 3,
      deletions: 0,
      patch: '@@ -1,0 +1,3 @@\n+package main\n+\n+func main() {}\n',
    },
    {
      path: 'README',
      previousPath: null,
      status: 'removed',
      additions: 0,
      deletions: 1,
      patch: '@@ -1 +0,0 @@\n-old readme\n',
    },
  ]);
  expect(changesFrom(items)).toMatchObject({ additions: 3, deletions: 1 });
});

test('a truncated file has neither counts nor hunks', () => {
  const [first] = diff.diffs;
  const { items, isWhole } = diffsFrom({ diffs: [{ ...first, truncated: true }], truncated: true });
  expect(isWhole).toBe(false);
  expect(items).toMatchObject([{ additions: null, patch: null }]);
  expect(changesFrom(items)).toMatchObject({ additions: null, deletions: null });
});
