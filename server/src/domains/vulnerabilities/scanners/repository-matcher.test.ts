import { expect, test } from 'vitest';
import { createRepositoryMatcher, normalizeRepositoryUrl } from './repository-matcher.ts';

const repositories = [
  { id: '1', fullName: 'acme/api', url: 'https://github.com/acme/api' },
  { id: '2', fullName: 'acme/web', url: 'https://github.com/acme/web' },
  { id: '3', fullName: 'acme/web', url: 'https://gitlab.example/acme/web' },
];
const find = createRepositoryMatcher(repositories);
const match = (name: string, repoUrl: string | null = null, importedName: string | null = null) =>
  find({ name, repoUrl, importedName });

test.each([
  ['https://github.com/acme/api'],
  ['https://github.com/Acme/API.git'],
  ['https://github.com/acme/api/'],
  ['http://github.com/acme/api'],
  ['https://token:x@github.com/acme/api.git'],
  ['git@github.com:acme/api.git'],
  ['ssh://git@github.com/acme/api'],
])('matches %s to the repository', (url) => {
  expect(match('whatever', url)).toEqual({ repositoryId: '1', matchedBy: 'url' });
});

test('matches by name without a URL, imported name first', () => {
  expect(match('ACME/api')).toEqual({ repositoryId: '1', matchedBy: 'name' });
  expect(match('Payments', null, 'acme/api')).toEqual({ repositoryId: '1', matchedBy: 'name' });
  expect(match('Payments', 'not a url', 'acme/api')).toEqual({ repositoryId: '1', matchedBy: 'name' });
});

test('leaves uncertain matches to manual matching', () => {
  expect(match('Easy Buggy')).toBeUndefined();
  expect(match('api')).toBeUndefined();
  expect(match('acme/web')).toBeUndefined();
  expect(match('acme/web', 'https://gitlab.example/acme/web')).toEqual({ repositoryId: '3', matchedBy: 'url' });
  // Scanned from the URL of another repository, whatever its name.
  expect(match('acme/api', 'https://github.com/fork/api')).toBeUndefined();
  expect(match('', null, '')).toBeUndefined();
});

test('matches no repository for a URL without a path', () => {
  expect(['', 'https://github.com', 'https://github.com/', 'x'].map(normalizeRepositoryUrl)).toEqual(
    Array(4).fill(undefined),
  );
});
