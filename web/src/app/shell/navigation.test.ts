import { permissionScopeOf, roleIds } from '@sightline/contract/core/permissions.ts';
import { expect, test } from 'vitest';
import { entryFor, evidenceEntries, isCurrent, mainEntries, organizationEntries } from './navigation.ts';

const labels = (vulnerabilities: boolean, releaseTwo: boolean) =>
  mainEntries({ vulnerabilities, releaseTwo }).map(({ label }) => label);

test('shows navigation entries according to feature flags', () => {
  expect(labels(false, false)).toEqual(['Home', 'Tool Inventory']);
  expect(labels(true, false)).toEqual(['Home', 'Tool Inventory', 'Vulnerabilities']);
  expect(labels(false, true)).toEqual(['Home', 'Tool Inventory', 'Repositories', 'Explore']);
});

test.each([
  ['/', 'Home'],
  ['/repository/github/kestrel/ledger-api', 'Repositories'],
  ['/vulnerabilities/42', 'Vulnerabilities'],
  ['/organization/repositories', 'Settings'],
  ['/organization/members', 'Members'],
  ['/integrations/security-scanners', 'Integrations'],
  ['/audit', 'Audit log'],
  ['/evidence', 'Overview'],
  ['/ledger', 'Ledger'],
  ['/evidence/access-reviews/42', 'Access reviews'],
  ['/evidence/controls/CHG-01', 'Overview'],
  ['/remediations', 'Overview'],
  ['/policies/new', 'Policies'],
  ['/waivers', 'Policies'],
])('marks on %s only %s as current', (path, label) => {
  const entries = [
    ...mainEntries({ vulnerabilities: true, releaseTwo: true }),
    ...evidenceEntries,
    ...organizationEntries,
  ];
  expect(entries.filter((entry) => isCurrent(entry, path)).map((entry) => entry.label)).toEqual([label]);
});

test('does not match a path that only shares a prefix', () => {
  expect(mainEntries({ vulnerabilities: true, releaseTwo: true }).some((entry) => isCurrent(entry, '/toolshed'))).toBe(
    false,
  );
});

// The specification's answers, section 4: the entries of a role follow from its permissions.
test.each([
  ['rol_owner', []],
  ['rol_contributor', ['Overview', 'Access reviews', 'Snapshots', 'Ledger', 'Members', 'Audit log']],
  ['rol_reviewer', []],
  ['rol_auditor', []],
] as const)('does not offer %s the entries %o', (role, hidden) => {
  const entries = [
    ...mainEntries({ vulnerabilities: true, releaseTwo: true }),
    ...evidenceEntries,
    ...organizationEntries,
  ];
  const without = entries.filter(({ permission }) => permission && !permissionScopeOf(role, permission));
  expect(without.map(({ label }) => label)).toEqual(hidden);
  expect(roleIds).toContain(role);
});

test.each([
  ['/organization/members', 'read:org-members'],
  ['/repository/github/acme/api/-/settings', 'read:github-repos'],
  ['/audit', 'read:audit-log'],
  ['/', undefined],
  ['/ada', undefined],
])('shows %s to holders of %s', (path, permission) => {
  expect(entryFor(path)?.permission).toBe(permission);
});
