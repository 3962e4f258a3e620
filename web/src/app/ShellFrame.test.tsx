// @vitest-environment happy-dom
import { getAccount } from '@sightline/contract/identity/accounts.ts';
import { listFeatureFlags } from '@sightline/contract/identity/feature-flags.ts';
import { listOrganizations } from '@sightline/contract/organization/organizations.ts';
import { getExtensionStatus, getUserStatus } from '@sightline/contract/tools/presence.ts';
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { act } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitForFlags } from '#lib/flags.ts';
import { clearSession } from '#lib/session.ts';
import { fakeApi } from '#testing/fake-api.ts';
import { togglesOf } from '#testing/flags.fixture.ts';
import { account, extensions, organization } from '#testing/people.fixture.ts';
import { startRealtimeServer } from '#testing/realtime-server.ts';
import { signIn, visitApp, visitPage } from '#testing/visit.tsx';
import { ShellFrame } from './ShellFrame.tsx';

startRealtimeServer();

const open = async () => {
  visitPage('/', () => <ShellFrame active="organization" />, '/');
  await screen.findByText(/Account of/);
};

beforeEach(() => {
  signIn('rol_owner');
  fakeApi.answer(getAccount, () => account());
  fakeApi.answer(getExtensionStatus, () => extensions());
  fakeApi.answer(getUserStatus, () => ({ ...extensions(), currentProject: null, vscode: false }));
  fakeApi.answer(listFeatureFlags, () => ({ toggles: [] }));
  const invitation = {
    invitation_id: 'i',
    ticket_id: 't',
    invitedBy: null,
    expiresAt: '2026-12-01T00:00:00Z',
  };
  fakeApi.answer(listOrganizations, () => [
    organization(),
    organization({ id: 'other', displayName: 'Kestrel' }),
    organization({ id: 'invited', displayName: 'Heron', invitation }),
  ]);
});
afterEach(() => document.head.querySelector('meta[name=sightline-environment]')?.remove());

test('omits organizations from the selector that the person is only invited to', async () => {
  await open();
  await userEvent.click(await screen.findByRole('button', { name: /Acme/ }));
  expect(await screen.findByRole('menuitem', { name: /Kestrel/ })).toBeDefined();
  expect(screen.queryByText('Heron')).toBeNull();
});

test('shows the environment strip only if the server reports a non-production environment', async () => {
  await open();
  expect(screen.queryByRole('complementary', { name: 'Environment' })).toBeNull();
  cleanup();
  document.head.insertAdjacentHTML('beforeend', '<meta name="sightline-environment" content="development">');
  await open();
  expect(screen.getByRole('complementary', { name: 'Environment' }).textContent).toMatch(/^Not a production server/);
});

test.each([
  [[], false],
  [['notificationSystem'], true],
])('offers Notifications in the user menu with the flags %j: %s', async (names, offered) => {
  fakeApi.answer(listFeatureFlags, () => togglesOf(...names));
  act(() => clearSession());
  signIn('rol_owner');
  visitApp('/account');
  const menu = await screen.findByRole('button', { name: /^Account of/ });
  await waitForFlags();
  await userEvent.click(menu);
  await screen.findByRole('menuitem', { name: 'Logout' });
  const entry = screen.queryByRole('menuitem', { name: 'Notifications' });
  expect(entry?.getAttribute('href')).toBe(offered ? '/notification/settings' : undefined);
});
