import { type Permission, permissionScopeOf, type RoleId } from '@sightline/contract/core/permissions.ts';
import { expect, test } from 'vitest';
import { evidenceEntries, mainEntries, organizationEntries } from '../shell/navigation.ts';
import { actionsOf } from './actions.ts';
import { findInDocumentation } from './documentation.ts';
import { type PaletteContext, screensOf } from './screens.ts';

const nothing = () => {};

function contextOf(role: RoleId, on = true): PaletteContext {
  const may = (permission: Permission) => permissionScopeOf(role, permission) !== undefined;
  const flags = { vulnerabilities: on, releaseTwo: on, notifications: on };
  return {
    entries: [...mainEntries(flags), ...evidenceEntries, ...organizationEntries].filter(
      ({ permission }) => permission === undefined || may(permission),
    ),
    has: () => true,
    may,
    flags,
    organizations: [
      { id: 'kestrel', name: 'Kestrel' },
      { id: 'auditwell', name: 'Auditwell' },
    ],
    activeId: 'kestrel',
    profileHref: undefined,
    documentationHref: '/docs/getting-started',
    onOrganization: nothing,
    onTheme: nothing,
    onShortcuts: nothing,
    onCopyLink: nothing,
    onLogout: nothing,
  };
}

const labels = (commands: readonly { label: string }[]) => commands.map(({ label }) => label);

test('offers every screen to owners and permitted screens to others', () => {
  expect(labels(screensOf(contextOf('rol_owner')))).toEqual(
    expect.arrayContaining(['Home', 'Members', 'Audit log', 'Access keys', 'Webhooks', 'Waivers']),
  );
  const contributor = labels(screensOf(contextOf('rol_contributor')));
  expect(contributor).toEqual(expect.arrayContaining(['Home', 'Repositories', 'Explore', 'Account settings']));
  for (const label of ['Members', 'Audit log', 'Access keys', 'Webhooks']) expect(contributor).not.toContain(label);
});

test('offers no screen behind a disabled flag and no screen without a route', () => {
  const without = labels(screensOf(contextOf('rol_owner', false)));
  for (const label of ['Vulnerabilities', 'Access keys', 'Repositories', 'Explore', 'Notification settings']) {
    expect(without).not.toContain(label);
  }
  const nowhere = { ...contextOf('rol_owner'), has: (path: string) => path !== '/audit' };
  expect(labels(screensOf(nowhere))).not.toContain('Audit log');
});

test('offers actions by permission', () => {
  expect(labels(actionsOf(contextOf('rol_owner')))).toEqual(
    expect.arrayContaining(['Invite people', 'Enable repositories', 'Connect an integration', 'Switch to Auditwell']),
  );
  const contributor = labels(actionsOf(contextOf('rol_contributor')));
  for (const label of ['Invite people', 'Enable repositories', 'Connect an integration', 'Switch to Kestrel']) {
    expect(contributor).not.toContain(label);
  }
  expect(contributor).toEqual(
    expect.arrayContaining(['Open the documentation', 'Open the API reference', 'Dark theme', 'Logout']),
  );
});

test('assigns each pair of letters to one screen', () => {
  const letters = contextOf('rol_owner').entries.map(({ letter }) => letter);
  expect(new Set(letters).size).toBe(letters.length);
});

test('searches pages and headings of the documentation, best match first', { tags: 'full' }, async () => {
  const found = await findInDocumentation('quiet hours', 5);
  expect(found[0]).toMatchObject({
    label: 'Notifications › Your settings',
    href: '/docs/notifications#your-settings',
  });
  expect(found[0]?.detail).toMatch(/quiet hours/i);
  expect(await findInDocumentation('the', 5)).toHaveLength(5);
});
