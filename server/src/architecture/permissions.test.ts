import { readdirSync, readFileSync } from 'node:fs';
import { permissions } from '@sightline/contract/core/permissions.ts';
import { expect, test } from 'vitest';
import { endpoints } from '../domains/platform/documentation/endpoints.ts';

const domains = new URL('../domains/', import.meta.url);

/** Returns the permissions that endpoints require, and those that queries check. */
function usedPermissions(): ReadonlySet<string> {
  const sources = readdirSync(domains, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, domains), 'utf8'));
  return new Set([
    ...endpoints.flatMap(({ permission }) => permission ?? []),
    ...sources.flatMap((text) => [...text.matchAll(/reach\('([a-z:-]+)'\)/g)].map(([, name = '']) => name)),
  ]);
}

test('requires every permission of a role in some endpoint', () => {
  expect(permissions.filter((permission) => !usedPermissions().has(permission))).toEqual([]);
});
