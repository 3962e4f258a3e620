import type { Parameter } from '@sightline/contract/timeline/events.ts';
import { expect, test } from 'vitest';
import { queryFilteredBy } from './entityFilter.ts';

const parameter = (kind: Parameter['kind'], ident: string, more: Partial<Parameter> = {}): Parameter => ({
  kind,
  ident,
  display: ident,
  ...more,
});

test.each<[Parameter, string]>([
  [parameter('user', 'ada'), 'actor:ada'],
  [parameter('repository', 'acme/api'), 'repo:acme/api'],
  [parameter('pr', '7', { data: { repository: 'acme/api' } }), 'repo:acme/api pr:7'],
  [parameter('sha', '0123456789abcdef'), 'sha:0123456789abcdef'],
  [parameter('website', 'example.org'), 'site:example.org'],
  [parameter('file', 'src/a b.ts'), 'file:"src/a b.ts"'],
  [parameter('text', 'x', { display: 'Make refunds' }), '"Make refunds"'],
])('narrows the timeline on a click on %o to %s', (clicked, query) => {
  expect(queryFilteredBy(clicked, '', { exclude: false })).toBe(query);
});

test('excludes any value and includes it again', () => {
  const without = queryFilteredBy(parameter('branch', 'main'), 'kind:commit', { exclude: true });
  expect(without).toBe('kind:commit -branch:main');
  expect(queryFilteredBy(parameter('branch', 'main'), without ?? '', { exclude: false })).toBe(
    'kind:commit branch:main',
  );
});

test('matches no person for an empty name', () => {
  expect(queryFilteredBy(parameter('user', ''), '', { exclude: false })).toBeUndefined();
});
