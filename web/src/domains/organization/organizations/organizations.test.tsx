// @vitest-environment happy-dom

import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { getAccount } from '@sightline/contract/identity/accounts.ts';
import { listFeatureFlags } from '@sightline/contract/identity/feature-flags.ts';
import { getMembersSummary } from '@sightline/contract/organization/members.ts';
import {
  checkMayCreateOrganization,
  getOrganization,
  listOrganizations,
  type Organization,
} from '@sightline/contract/organization/organizations.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { act } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { waitForFlags } from '#lib/flags.ts';
import { clearSession } from '#lib/session.ts';
import { fakeApi } from '#testing/fake-api.ts';
import { togglesOf } from '#testing/flags.fixture.ts';
import { account, organization } from '#testing/people.fixture.ts';
import { signIn, visitPage } from '#testing/visit.tsx';
import { OrganizationLayout } from './OrganizationLayout.tsx';
import { OrganizationsPage } from './OrganizationsPage.tsx';
import { SettingsPage } from './SettingsPage.tsx';

function enter({ role = 'rol_owner' as RoleId, extended = false } = {}): void {
  // Flags are fetched once per session.
  act(() => clearSession());
  signIn(role);
  fakeApi.answer(getOrganization, () => organization({ role }));
  fakeApi.answer(listFeatureFlags, () => togglesOf(...(extended ? ['extendedSettings'] : [])));
}

beforeEach(() => {
  fakeApi.answer(getAccount, () => account());
  fakeApi.refuse(checkMayCreateOrganization, 403, 'forbidden', 'You own enough of them.');
});

test('counts members on the Members tab', async () => {
  enter();
  fakeApi.answer(getMembersSummary, () => ({ total: 15, byStatus: {}, byRole: [] }));
  visitPage('/organization/members', OrganizationLayout, '/organization/members');
  const tab = await screen.findByRole('link', { name: 'Members 15' });
  expect(tab.getAttribute('aria-current')).toBe('page');
});

test.each([
  ['rol_owner', true, true],
  ['rol_owner', false, false],
  ['rol_reviewer', true, false],
] as const)('for %s with extended settings %s, shows the Danger Zone: %s', async (role, extended, isShown) => {
  enter({ role, extended });
  visitPage('/organization/settings', SettingsPage, '/organization/settings');
  await screen.findByText(/128x128/);
  await waitForFlags();
  if (isShown) expect(await screen.findByText('Danger Zone')).toBeDefined();
  else expect(screen.queryByText('Danger Zone')).toBeNull();
});

test('replaces a broken logo with the first letter, and links pending invitations to the settings', async () => {
  enter();
  const other: Organization = organization({
    id: 'other',
    displayName: 'Kestrel',
    logoUrl: 'https://acme.example/k.png',
  });
  fakeApi.answer(listOrganizations, () => [organization(), other]);
  visitPage('/account', OrganizationsPage, '/account');
  const row = (await screen.findByText('Kestrel')).closest('li');
  await waitFor(() => expect(row?.querySelector('img')?.getAttribute('src')).toBe(other.logoUrl));
  fireEvent.error(row?.querySelector('img') as HTMLElement);
  expect(row?.querySelector('img')).toBeNull();
  expect(row?.textContent).toMatch(/^KKestrel/);
  expect(screen.getByRole('link', { name: 'Connect it in Account Settings' }).getAttribute('href')).toBe('/account');
});

test('shows the logo hint without an upload', async () => {
  enter();
  visitPage('/organization/settings', SettingsPage, '/organization/settings');
  expect((await screen.findByText(/128x128 or bigger/)).textContent).toContain('Logo upload is not available.');
  expect(screen.queryByRole('button', { name: /upload|logo/i })).toBeNull();
  expect(document.querySelector('input[type="file"]')).toBeNull();
});
