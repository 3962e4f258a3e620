import type { ProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { expect, test } from 'vitest';
import { changedSelectionOf, enabledIdsOf, offersOf } from './choice.ts';

const offer = (id: string, name: string, tracked = false) => ({
  id,
  name,
  fullName: `acme/${name}`,
  isPrivate: true,
  private: true,
  defaultBranch: 'main',
  pushedAt: null,
  tracked,
});
const providerRepos: ProviderRepos = {
  github: { acme: [offer('1', 'api', true), offer('2', 'web')], beta: [offer('3', 'tool')] },
};

test('sends only changed repositories by provider and owner', () => {
  expect(changedSelectionOf(providerRepos, new Set(['1', '2']))).toEqual({
    providerRepos: { github: { acme: [{ id: '2', tracked: true }] } },
  });
  expect(changedSelectionOf(providerRepos, new Set(['3']))).toEqual({
    providerRepos: { github: { acme: [{ id: '1', tracked: false }], beta: [{ id: '3', tracked: true }] } },
  });
});

test('searches names ignoring case and omits owners without matches', () => {
  expect(offersOf(providerRepos, ' WEB').map(({ owner, repositories }) => [owner, repositories.length])).toEqual([
    ['acme', 1],
  ]);
});

test('detects enabled repositories', () => {
  expect([...enabledIdsOf(providerRepos)]).toEqual(['1']);
});
