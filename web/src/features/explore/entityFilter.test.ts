import type { Parameter } from '@sightline/contract/events.ts';
import { expect, test } from 'vitest';
import { entityFilter } from './entityFilter.ts';
import { exploreQuery } from './exploreQuery.ts';

const nothing = exploreQuery.parse({});
const parameter = (kind: Parameter['kind'], ident: string, more: Partial<Parameter> = {}): Parameter => ({
  kind,
  ident,
  display: ident,
  ...more,
});

test.each<[Parameter, object]>([
  [parameter('user', 'ada'), { actor: 'ada' }],
  [parameter('repository', 'acme/api'), { repo: ['acme/api'], pr: undefined }],
  [parameter('pr', '7', { data: { repository: 'acme/api' } }), { repo: ['acme/api'], pr: 7 }],
  [parameter('sha', '0123456789abcdef'), { query: '0123456' }],
  [parameter('website', 'example.org'), { query: 'example.org' }],
])('a click on %o narrows the timeline', (clicked, patch) => {
  expect(entityFilter(clicked, nothing, false)).toEqual(patch);
});

test('words are added once', () => {
  const query = exploreQuery.parse({ query: 'refund  main' });
  expect(entityFilter(parameter('branch', 'main'), query, false)).toEqual({ query: 'refund  main' });
  expect(entityFilter(parameter('branch', 'dev'), query, false)).toEqual({ query: 'refund main dev' });
});

test('only people and repositories are excluded, each once', () => {
  const query = exploreQuery.parse({ without: 'actor:ada' });
  expect(entityFilter(parameter('user', 'ada'), query, true)).toEqual({ without: ['actor:ada'] });
  expect(entityFilter(parameter('repository', 'acme/api'), query, true)).toEqual({
    without: ['actor:ada', 'repo:acme/api'],
  });
  expect(entityFilter(parameter('branch', 'main'), query, true)).toBeUndefined();
});

test('nobody can be found by an empty name', () => {
  expect(entityFilter(parameter('user', ''), nothing, false)).toBeUndefined();
});
