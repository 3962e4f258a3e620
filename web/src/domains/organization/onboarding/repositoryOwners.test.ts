import { expect, test } from 'vitest';
import { filterOwners, repositoryOwnersOf, selectionBodyOf } from './repositoryOwners.ts';

const offer = (id: string, fullName: string, pushedAt: string | null) => ({
  id,
  name: fullName.split('/')[1] ?? '',
  fullName,
  isPrivate: false,
  private: false,
  defaultBranch: 'main',
  pushedAt,
  tracked: false,
});
const owners = repositoryOwnersOf({
  github: {
    zeta: [offer('1', 'zeta/old', null), offer('2', 'zeta/api', '2026-01-02T00:00:00Z')],
    acme: [offer('3', 'acme/web', '2026-01-01T00:00:00Z')],
  },
});

test('sorts owners by name and repositories by last push', () => {
  expect(owners.map(({ name, repositories }) => [name, repositories.map(({ id }) => id)])).toEqual([
    ['acme', ['3']],
    ['zeta', ['2', '1']],
  ]);
});

test('searches full names and omits empty owners', () => {
  expect(filterOwners(owners, ' ZETA/a').flatMap(({ repositories }) => repositories.map(({ id }) => id))).toEqual([
    '2',
  ]);
  expect(filterOwners(owners, 'nothing')).toEqual([]);
});

test('sends only selected repositories', () => {
  expect(selectionBodyOf(owners, new Set(['2', '3']))).toEqual({
    github: { acme: [{ id: '3', tracked: true }], zeta: [{ id: '2', tracked: true }] },
  });
  expect(selectionBodyOf(owners, new Set())).toEqual({});
});
