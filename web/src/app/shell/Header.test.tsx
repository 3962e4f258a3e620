// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { expect, test } from 'vitest';
import { renderWithTheme } from '#testing/renderWithTheme.tsx';
import { Header } from './Header.tsx';

type HeaderAccount = ComponentProps<typeof Header>['account'];

const open = (account: Partial<HeaderAccount> = {}) =>
  renderWithTheme(
    <Header
      organization={{
        organizations: [],
        activeId: 'kestrel',
        onChoose: () => undefined,
        manageHref: '/organizations',
      }}
      account={{
        user: { name: 'Ada Lovelace', email: 'ada@acme.example' },
        extensions: [
          { label: 'Browser extension', connected: true },
          { label: 'Editor extension', connected: true },
        ],
        showNotifications: false,
        profileHref: undefined,
        accountHref: '/account',
        personalDataHref: '/me/personal-data',
        getExtensionsHref: '/account#downloads',
        isOperator: false,
        onEmployeeSettings: undefined,
        onLogout: () => undefined,
        ...account,
      }}
      documentationHref="/documentation"
      onPalette={() => undefined}
      onOpenSidebar={() => undefined}
    />,
  );

async function openMenu(account: Partial<HeaderAccount> = {}): Promise<(string | null)[]> {
  open(account);
  await userEvent.click(screen.getByRole('button', { name: 'Account of Ada Lovelace' }));
  return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
}

test('links to the documentation', () => {
  open();
  expect(screen.getByRole('link', { name: /^Documentation/ }).getAttribute('href')).toBe('/documentation');
});

test('shows the signed-in account and its entries in the user menu', async () => {
  expect(await openMenu()).toEqual(['Organizations', 'Account Settings', 'Your data', 'Logout']);
  expect(screen.getByRole('menuitem', { name: 'Your data' }).getAttribute('href')).toBe('/me/personal-data');
  const who = screen.getByText('Signed in as').parentElement;
  expect(who?.textContent).toBe('Signed in asAda Lovelaceada@acme.example');
  expect(screen.getAllByText('Connected')).toHaveLength(2);
});

test('shows Notifications in the user menu behind its flag and warns of a missing extension', async () => {
  const extensions = [
    { label: 'Browser extension', connected: true },
    { label: 'Editor extension', connected: false },
  ];
  expect(await openMenu({ showNotifications: true, extensions })).toEqual([
    'Organizations',
    'Account Settings',
    'Your data',
    'Notifications',
    'Logout',
  ]);
  expect(screen.getByRole('menuitem', { name: 'Notifications' }).getAttribute('href')).toBe('/notification/settings');
  expect(screen.getByText('Not connected')).toBeDefined();
});

test('marks extensions as success if all are connected and as warning if one is missing', () => {
  open();
  expect(screen.getByText('Extensions connected')).toBeDefined();
  open({ extensions: [{ label: 'Editor extension', connected: false }] });
  expect(screen.getByRole('link', { name: /Editor extension missing/ }).getAttribute('href')).toBe(
    '/account#downloads',
  );
});
