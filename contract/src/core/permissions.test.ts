import { expect, test } from 'vitest';
import {
  type Permission,
  type PermissionScope,
  permissionScopeOf,
  permissions,
  type RoleId,
  readRepositories,
  roleIds,
  roleNames,
} from './permissions.ts';

type Cell = PermissionScope | undefined;
const no = undefined;

// The table of the specification's answers, section 4: owner, contributor, reviewer, auditor.
const table: Partial<Record<Permission, [Cell, Cell, Cell, Cell]>> = {
  'read:org': ['all', 'all', 'all', 'all'],
  'update:org': ['all', no, no, no],
  'read:org-members': ['all', no, 'all', 'all'],
  'read:invitations': ['all', no, no, 'all'],
  'create:invitation': ['all', no, no, no],
  // Of every code host.
  ...Object.fromEntries(readRepositories.map((permission) => [permission, ['all', 'own', 'all', 'all']])),
  'read:events': ['all', 'own', 'all', 'all'],
  'read:commit-digest': ['all', 'own', 'all', 'all'],
  'read:policies': ['all', 'all', 'all', 'all'],
  'read:policies-status': ['all', 'all', 'all', 'all'],
  'write:policies': ['all', no, no, no],
  'delete:policies': ['all', no, no, no],
  'read:vulnerabilities': ['all', 'own', 'all', 'all'],
  'write:findings': ['all', 'own', no, no],
  'approve:exceptions': ['all', no, 'all', no],
  'read:evidence': ['all', no, 'all', 'all'],
  'create:evidence': ['all', no, 'all', no],
  'manage:integrations': ['all', no, no, no],
  'read:audit-log': ['all', no, 'all', 'all'],
};
const columns: RoleId[] = ['rol_owner', 'rol_contributor', 'rol_reviewer', 'rol_auditor'];

test('lists every permission and every role', () => {
  expect(Object.keys(table).toSorted()).toEqual(permissions.toSorted());
  expect(columns.toSorted()).toEqual(roleIds.toSorted());
});

test.each(permissions.flatMap((permission) => columns.map((role, column) => ({ permission, role, column }))))(
  '$role: $permission',
  ({ permission, role, column }) => {
    expect(permissionScopeOf(role, permission)).toBe(table[permission]?.[column]);
  },
);

test('denies what is not listed, also names of object properties', () => {
  for (const role of roleIds) {
    for (const name of ['', 'read:everything', '*'])
      expect(permissionScopeOf(role, name as Permission)).toBeUndefined();
  }
});

test('names roles as the specification does', () => {
  expect(roleNames).toEqual({
    rol_owner: 'Account Owner',
    rol_contributor: 'Code Contributor',
    rol_reviewer: 'Digest Reviewer',
    rol_auditor: 'Auditor',
  });
});
