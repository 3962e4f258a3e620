import { expect, test } from 'vitest';
import { isCurrent, mainEntries, organizationEntries } from './navigation.ts';

const labels = (vulnerabilities: boolean, releaseTwo: boolean) =>
  mainEntries({ vulnerabilities, releaseTwo }).map(({ label }) => label);

test('the flags decide which entries there are', () => {
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
])('on %s the current entry is %s alone', (path, label) => {
  const entries = [...mainEntries({ vulnerabilities: true, releaseTwo: true }), ...organizationEntries];
  expect(entries.filter((entry) => isCurrent(entry, path)).map((entry) => entry.label)).toEqual([label]);
});

test('a path that only begins alike is not covered', () => {
  expect(mainEntries({ vulnerabilities: true, releaseTwo: true }).some((entry) => isCurrent(entry, '/toolshed'))).toBe(
    false,
  );
});
