import { listPullRequests } from '@sightline/contract/sources/pull-requests.ts';
import { listRepositories } from '@sightline/contract/sources/repositories.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from './search-params.ts';
import { clearedFilters, hasFilters, patchSearch, readQuery } from './url-query.ts';

const defaults = { page: 1, perPage: 10, search: '', sort: 'date-desc' };
const read = (search: string) => readQuery(listRepositories.query, parseSearch(search));

test('reads an empty address as the defaults', () => {
  expect(read('')).toEqual(defaults);
});

test.each([
  ['?page=0', {}],
  ['?page=two', {}],
  ['?page=3', { page: 3 }],
  ['?perPage=37', {}],
  ['?perPage=20', { perPage: 20 }],
  ['?sort=size-desc', {}],
  ['?sort=name-asc', { sort: 'name-asc' }],
  ['?search=123', { search: '123' }],
  ['?unknown=1&__proto__=2', {}],
])('falls back field by field: %s', (search, expected) => {
  expect(read(search)).toEqual({ ...defaults, ...expected });
});

test('drops unknown values of a list and keeps the rest', () => {
  const { statuses, authors } = readQuery(
    listPullRequests.query,
    parseSearch('?statuses=closed,lost,accepted&authors=a,b'),
  );
  expect(statuses).toEqual(['closed', 'accepted']);
  expect(authors).toEqual(['a', 'b']);
});

test('accepts any address and returns only values that the contract accepts', () => {
  fc.assert(
    fc.property(fc.string(), (search) => {
      const query = readQuery(listPullRequests.query, parseSearch(search));
      expect(query.page).toBeGreaterThanOrEqual(1);
      expect(Array.isArray(query.statuses)).toBe(true);
    }),
  );
});

test('resets the page to 1 on a change and omits defaults', () => {
  const search = { page: '4', sort: 'name-asc', tab: 'x' };
  expect(patchSearch(listRepositories.query, search, { search: 'api' })).toEqual({
    sort: 'name-asc',
    tab: 'x',
    search: 'api',
  });
  expect(patchSearch(listRepositories.query, search, { page: 5 })).toEqual({ page: '5', sort: 'name-asc', tab: 'x' });
  expect(patchSearch(listRepositories.query, search, { sort: 'date-desc' })).toEqual({ tab: 'x' });
});

test('keeps lists readable in the address without loss', () => {
  const search = patchSearch(listPullRequests.query, {}, { authors: ['ada', 'bob'], search: 'a & b' });
  expect(stringifySearch(search)).toBe('?authors=ada,bob&search=a+%26+b');
  expect(parseSearch(stringifySearch(search))).toEqual(search);
});

test.each([
  ['', false],
  ['?page=3&perPage=40&sort=date-asc', false],
  ['?statuses=closed', false],
  ['?search=api', true],
  ['?authors=ada', true],
])('reports whether %s filters the list: %s, and clears it', (search, filtered) => {
  const view = ['statuses'];
  const schema = listPullRequests.query;
  expect(hasFilters(schema, readQuery(schema, parseSearch(search)), view)).toBe(filtered);
  const cleared = patchSearch(schema, parseSearch(search), clearedFilters(schema, view));
  expect(hasFilters(schema, readQuery(schema, cleared), view)).toBe(false);
  expect(cleared).toEqual(
    Object.fromEntries(
      Object.entries(parseSearch(search)).filter(([name]) => !['search', 'authors', 'page'].includes(name)),
    ),
  );
});
