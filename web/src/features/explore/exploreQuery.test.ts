import { contextFilter } from '@sightline/contract/contexts.ts';
import { expect, test } from 'vitest';
import { type ExploreQuery, exploreQuery, filtersOf, filterWords, isFiltered, noFilters } from './exploreQuery.ts';

const asked = (search: Record<string, string>): ExploreQuery => exploreQuery.parse(search);

test('every filter of the address is one the contract takes', () => {
  const filters = filtersOf(
    asked({
      kind: 'commit,pull_request',
      repo: 'acme/api',
      actor: 'ada',
      pr: '7',
      without: 'actor:dependabot[bot],repo:acme/web',
    }),
  );
  expect(filters.map((filter) => contextFilter.safeParse(filter).success)).toEqual(filters.map(() => true));
  expect(filters).toEqual([
    { within: 'event', field: 'kind', predicate: 'in', arguments: ['commit', 'pull_request'] },
    { within: 'repository', field: 'fullName', predicate: 'in', arguments: ['acme/api'] },
    { within: 'user', field: 'login', predicate: 'is', arguments: ['ada'] },
    { within: 'pull_request', field: 'number', predicate: 'is', arguments: ['7'] },
    { within: 'user', field: 'login', predicate: 'is-not', arguments: ['dependabot[bot]'] },
    { within: 'repository', field: 'fullName', predicate: 'is-not', arguments: ['acme/web'] },
  ]);
});

test('a person with an @ is an e-mail address', () => {
  expect(filtersOf(asked({ actor: 'ada@acme.example' }))[0]).toMatchObject({ field: 'email' });
});

test.each([{ pr: '7' }, { pr: '7', repo: 'acme/api,acme/web' }])(
  'a number without its one repository is left out',
  (search) => {
    expect(filtersOf(asked(search)).some(({ within }) => within === 'pull_request')).toBe(false);
  },
);

test.each(['actor:', 'tool:copilot', 'nonsense'])('an exclusion nobody wrote is left out: %s', (without) => {
  expect(filtersOf(asked({ without }))).toEqual([]);
});

test('a context and a linked event are not filters to clear', () => {
  const id = '018f2a52-0000-7000-8000-00000000000c';
  expect(isFiltered(asked({ context: id, event: id }))).toBe(false);
  expect(isFiltered(asked({ query: 'refund' }))).toBe(true);
  expect(isFiltered({ ...asked({ kind: 'commit', query: 'x', without: 'repo:a/b' }), ...noFilters })).toBe(false);
});

test('tells the filters in words', () => {
  expect(
    filterWords(
      asked({ kind: 'commit', repo: 'acme/api', pr: '7', without: 'actor:bob', query: 'camt' }),
      (kind) => kind,
    ),
  ).toEqual(['commit', 'acme/api', '#7', 'Not bob', '“camt”']);
});
