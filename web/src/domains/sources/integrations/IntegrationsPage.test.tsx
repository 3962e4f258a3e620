// @vitest-environment happy-dom

import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { listFeatureFlags } from '@sightline/contract/identity/feature-flags.ts';
import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { getGithubStatus } from '@sightline/contract/sources/github.ts';
import {
  connectScanner,
  disconnectScanner,
  getScanner,
  type Integration,
  listIntegrations,
  type ScannerCheck,
  testScanner,
} from '@sightline/contract/sources/integrations.ts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { clearSession } from '#lib/session.ts';
import { fakeApi } from '#testing/fake-api.ts';
import { togglesOf } from '#testing/flags.fixture.ts';
import { organization } from '#testing/people.fixture.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { IntegrationsPage } from './IntegrationsPage.tsx';
import { checkmarx, idleSync, settings } from './integration.fixture.ts';

const github: Integration = {
  ...checkmarx(),
  name: 'github',
  title: 'GitHub',
  category: 'source-code-management',
  status: 'active',
  detail: '14 repositories',
  lastSyncAt: '2026-03-01T12:00:00.000Z',
  links: [
    { label: 'Manage', href: '/organization/repositories' },
    { label: 'Settings on GitHub', href: 'https://github.example/settings' },
  ],
  missing: ['None of 14 repositories is enabled yet.'],
  notes: ['3 webhooks did not arrive within a week, and were asked for again.'],
};

function open({
  role = 'rol_owner' as RoleId,
  address = '/integrations',
  scanner = checkmarx(),
  connected = null as ReturnType<typeof settings> | null,
  flags = ['vulnerabilities'],
} = {}) {
  signIn(role);
  fakeApi.answer(listFeatureFlags, () => togglesOf(...flags));
  fakeApi.answer(getOrganization, () => organization({ role }));
  fakeApi.answer(listIntegrations, () => [github, scanner]);
  fakeApi.answer(getScanner, () => connected);
  return visitPage('/integrations/{-$category}', IntegrationsPage, address);
}

const card = async (name: string) => within(await screen.findByRole('listitem', { name }));
const form = async () => {
  const drawer = within(await screen.findByRole('dialog', { name: /Checkmarx One/ }));
  await drawer.findByLabelText(/^Tenant name/);
  return drawer;
};

test('shows status, missing steps and a link on a card', async () => {
  open();
  const shown = await card('GitHub');
  expect(shown.getByText('Active')).toBeTruthy();
  expect(shown.getByText(/14 repositories$/)).toBeTruthy();
  expect(shown.getByText('None of 14 repositories is enabled yet.')).toBeTruthy();
  expect(shown.getByText(/^3 webhooks did not arrive/)).toBeTruthy();
  expect(shown.getByRole('link', { name: /^Manage/ }).getAttribute('href')).toBe('/organization/repositories');
  expect(shown.getByRole('link', { name: /opens a new tab/ }).getAttribute('rel')).toBe('noreferrer');
});

test('counts integrations by category and shows one category alone', async () => {
  open({ address: '/integrations/security-scanners' });
  const categories = within(await screen.findByRole('navigation', { name: 'Categories' }));
  await waitFor(() => expect(categories.getByRole('link', { name: 'All integrations 2' })).toBeTruthy());
  expect(categories.getByRole('link', { name: 'Security Scanners 1' }).getAttribute('aria-current')).toBe('page');
  expect(categories.queryByRole('link', { name: /IDE/ })).toBeNull();
  expect(screen.queryByRole('listitem', { name: 'GitHub' })).toBeNull();
});

test('offers a retry if loading fails', async () => {
  open();
  fakeApi.refuse(listIntegrations, 500, 'internal', 'Something went wrong here.');
  expect(await screen.findByText('The integrations could not be loaded')).toBeTruthy();
  fakeApi.answer(listIntegrations, () => [github]);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('listitem', { name: 'GitHub' })).toBeTruthy();
});

test('offers no action for GitHub without an app', async () => {
  open({ role: 'rol_contributor' });
  fakeApi.answer(listIntegrations, () => [{ ...github, status: 'inactive' as const, detail: null, links: [] }]);
  const status = { active: false, settingsURL: null, accounts: [], sandbox: false };
  fakeApi.answer(getGithubStatus, () => ({ ...status, state: 'not_connected' as const }));
  const button = await (await card('GitHub')).findByRole('button', { name: 'Connect GitHub' });
  expect(button.hasAttribute('disabled')).toBe(true);
  expect(await screen.findByText('Only account owner can connect to GitHub')).toBeTruthy();
});

test('shows disabled buttons with a reason to other roles than owners', async () => {
  open({ role: 'rol_contributor', address: '/integrations?setup=checkmarx' });
  const shown = await card('Checkmarx One');
  const button = shown.getByRole('button', { name: /^Setup with an API key/ });
  expect(button.hasAttribute('disabled')).toBe(true);
  expect(await shown.findByText('Only account owner can connect to/disconnect from Checkmarx')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('trims a pasted key, connects, and continues to the projects', { tags: 'full' }, async () => {
  const page = open();
  let sent: unknown;
  fakeApi.answer(connectScanner, ({ body }) => {
    sent = body;
    return settings();
  });
  await userEvent.click((await card('Checkmarx One')).getByRole('button', { name: /^Setup with an API key/ }));
  const drawer = await form();
  const connect = drawer.getByRole('button', { name: 'Connect' });
  expect(connect.hasAttribute('disabled')).toBe(true);
  expect(drawer.getByLabelText('Base API URL').getAttribute('placeholder')).toBe('https://ast.checkmarx.net');
  await userEvent.type(drawer.getByLabelText(/^Tenant name/), ' acme ');
  await userEvent.click(drawer.getByLabelText(/^API key/));
  await userEvent.paste('  e30.e30.c2ln ');
  await userEvent.click(connect);
  await waitFor(() => expect(sent).toEqual({ tenant: 'acme', apiKey: 'e30.e30.c2ln' }));
  await waitFor(() => expect(page.address()).toBe('/integrations/security-scanners/checkmarx'));
});

test('reports an invalid base URL on blur and prevents submission', { tags: 'full' }, async () => {
  open({ address: '/integrations?setup=checkmarx' });
  const drawer = await form();
  await userEvent.type(drawer.getByLabelText(/^Tenant name/), 'acme');
  await userEvent.type(drawer.getByLabelText(/^API key/), 'key');
  await userEvent.type(drawer.getByLabelText('Base API URL'), 'eu.ast.checkmarx');
  expect(drawer.queryByText('Start with https:// and give a host name')).toBeNull();
  await userEvent.tab();
  expect(drawer.getByText('Start with https:// and give a host name')).toBeTruthy();
  expect(drawer.getByRole('button', { name: 'Connect' }).hasAttribute('disabled')).toBe(true);
  expect(drawer.getByRole('button', { name: 'Test connection' }).hasAttribute('disabled')).toBe(true);
});

const refused: ScannerCheck = {
  ok: false,
  projects: null,
  problem: { code: 'wrong_tenant', message: 'Checkmarx One knows no tenant “acme”.', field: 'tenant' },
};

test('reports a failed connection test at its field, counts projects on success, and keeps the input', {
  tags: 'full',
}, async () => {
  open({ address: '/integrations?setup=checkmarx' });
  const answers = [refused, { ok: true, problem: null, projects: 12 }];
  fakeApi.answer(testScanner, () => answers.shift() ?? refused);
  const drawer = await form();
  const tenant = drawer.getByLabelText(/^Tenant name/);
  await userEvent.type(tenant, 'acme');
  await userEvent.type(drawer.getByLabelText(/^API key/), 'key');
  await userEvent.click(drawer.getByRole('button', { name: 'Test connection' }));
  expect(await drawer.findByText('Checkmarx One knows no tenant “acme”.')).toBeTruthy();
  expect(tenant.getAttribute('aria-invalid')).toBe('true');
  await userEvent.type(tenant, '-payments');
  expect(drawer.queryByText('Checkmarx One knows no tenant “acme”.')).toBeNull();
  await userEvent.click(drawer.getByRole('button', { name: 'Test connection' }));
  expect(await drawer.findByText('Connection succeeded: the key has access to 12 projects.')).toBeTruthy();
  expect((tenant as HTMLInputElement).value).toBe('acme-payments');
  expect((drawer.getByLabelText(/^API key/) as HTMLInputElement).value).toBe('key');
});

test('shows an error that names no field in the form', { tags: 'full' }, async () => {
  open({ address: '/integrations?setup=checkmarx' });
  fakeApi.refuse(connectScanner, 502, 'upstream_failed', 'Checkmarx One does not answer.');
  const drawer = await form();
  await userEvent.type(drawer.getByLabelText(/^Tenant name/), 'acme');
  await userEvent.type(drawer.getByLabelText(/^API key/), 'key{Enter}');
  expect((await drawer.findByRole('alert')).textContent).toContain('Checkmarx One does not answer.');
  expect((drawer.getByLabelText(/^API key/) as HTMLInputElement).value).toBe('key');
});

test('hides the key until it is revealed, also by keyboard', async () => {
  open({ address: '/integrations?setup=checkmarx' });
  const drawer = await form();
  const key = drawer.getByLabelText(/^API key/);
  expect(key.getAttribute('type')).toBe('password');
  const toggle = drawer.getByRole('button', { name: 'Show the key' });
  expect(toggle.getAttribute('tabindex')).toBe('0');
  await userEvent.click(toggle);
  expect(key.getAttribute('type')).toBe('text');
  expect(drawer.getByRole('button', { name: 'Hide the key' })).toBeTruthy();
});

test('confirms disconnecting and shows what is kept', async () => {
  let isDisconnected = false;
  open({ scanner: checkmarx({ status: 'active', detail: 'tenant acme' }), connected: settings() });
  fakeApi.answer(disconnectScanner, () => {
    isDisconnected = true;
    return null;
  });
  await userEvent.click((await card('Checkmarx One')).getByRole('button', { name: /^Disconnect/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Disconnect Checkmarx One?' }));
  expect(dialog.getByText(/their history and decisions are kept/)).toBeTruthy();
  expect(isDisconnected).toBe(false);
  await userEvent.click(dialog.getByRole('button', { name: 'Disconnect' }));
  await waitFor(() => expect(isDisconnected).toBe(true));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('shows an expired key as an error that links to the form with tenant and host filled in', async () => {
  open({
    scanner: checkmarx({ status: 'error', problem: { code: 'expired_key', message: 'This API key has expired.' } }),
    connected: settings({ baseURL: 'https://eu.ast.checkmarx.net' }),
  });
  const shown = await card('Checkmarx One');
  expect(shown.getByText('Failing')).toBeTruthy();
  expect(shown.getByText('This API key has expired.')).toBeTruthy();
  await userEvent.click(shown.getByRole('button', { name: /^Setup with an API key/ }));
  const drawer = await form();
  expect((drawer.getByLabelText(/^Tenant name/) as HTMLInputElement).value).toBe('acme');
  expect((drawer.getByLabelText('Base API URL') as HTMLInputElement).value).toBe('https://eu.ast.checkmarx.net');
  expect((drawer.getByLabelText(/^API key/) as HTMLInputElement).value).toBe('');
  expect(drawer.getByText(/ends in 9f3c/)).toBeTruthy();
});

test('shows progress on the card while results are imported', async () => {
  open({
    scanner: checkmarx({ status: 'active' }),
    connected: settings({ sync: { ...idleSync, state: 'running', projects: { done: 3, total: 12 }, results: 1240 } }),
  });
  const bar = await (await card('Checkmarx One')).findByRole('progressbar', { name: 'Importing from Checkmarx One' });
  expect(bar.getAttribute('aria-valuetext')).toBe('3 of 12 projects, 1,240 results');
});

test.each(['while nothing is loaded yet', 'once everything is loaded'])(
  'shows the scanner category only with the vulnerabilities flag, %s',
  async (when) => {
    const titles = [/^All integrations/, /^Source Code Management/, /^Security Scanners/];
    const answer = when.startsWith('while') ? () => new Promise<never>(() => undefined) : () => [github, checkmarx()];
    const shown = async () => {
      const links = within(await screen.findByLabelText('Categories')).getAllByRole('link');
      return titles.filter((title) => links.some(({ textContent }) => title.test(textContent ?? '')));
    };
    act(() => clearSession());
    open({ flags: [] });
    fakeApi.answer(listIntegrations, answer);
    if (!when.startsWith('while')) await card('GitHub');
    expect(await shown()).toEqual(titles.slice(0, 2));
    expect(screen.queryByRole('heading', { name: 'Security Scanners' })).toBeNull();
    cleanup();
    act(() => clearSession());
    open();
    fakeApi.answer(listIntegrations, answer);
    await waitFor(async () => expect(await shown()).toEqual(titles));
  },
);
