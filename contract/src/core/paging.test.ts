import { expect, test } from 'vitest';
import { z } from 'zod';
import { lastPage, pagedQuery } from './paging.ts';

const query = pagedQuery(['date-desc', 'name-asc'], { status: z.string().optional() });

test('defaults to the first page, ten rows and the first sort order', () => {
  expect(query.parse({})).toEqual({ page: 1, perPage: 10, search: '', sort: 'date-desc' });
});

test('parses the parameters of an address', () => {
  expect(query.parse({ page: '3', perPage: '40', search: ' api ', sort: 'name-asc', status: 'a' })).toEqual({
    page: 3,
    perPage: 40,
    search: 'api',
    sort: 'name-asc',
    status: 'a',
  });
});

test.each([
  [{ page: '0' }, 'page'],
  [{ page: '-1' }, 'page'],
  [{ page: '1.5' }, 'page'],
  [{ page: '1000000000' }, 'page'],
  [{ page: 'NaN' }, 'page'],
  [{ page: 'Infinity' }, 'page'],
  [{ page: ['1', '2'] }, 'page'],
  [{ perPage: '0' }, 'perPage'],
  [{ perPage: '101' }, 'perPage'],
  [{ search: 'a'.repeat(201) }, 'search'],
  [{ search: 'a\0' }, 'search'],
  [{ sort: ';drop table member' }, 'sort'],
  [{ sort: 'constructor' }, 'sort'],
])('rejects %j', (given, field) => {
  expect(query.safeParse(given).error?.issues.map((issue) => issue.path.join('.'))).toEqual([field]);
});

test('rejects unknown values', () => {
  expect(query.safeParse({ pages: '1' }).success).toBe(false);
});

test.each([
  [0, 1],
  [1, 1],
  [10, 1],
  [11, 2],
])('ends %i rows of 10 a page on page %i', (total, last) => {
  expect(lastPage(total, 10)).toBe(last);
});
