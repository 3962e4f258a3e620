// @vitest-environment happy-dom

import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import {
  disconnectGithub,
  type GithubInstallation,
  initiateGithubInstall,
  listGithubInstallations,
} from '@sightline/contract/sources/github.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { organization } from '#testing/people.fixture.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { GithubSetup } from './GithubSetup.tsx';

const path = '/integrations/source-code-management';
const installation = (account: string, change: Partial<GithubInstallation> = {}): GithubInstallation => ({
  id: account === 'acme' ? '1' : '2',
  account,
  settingsURL: `https://github.example/${account}`,
  connectedAt: '2026-11-20T10:00:00Z',
  suspendedAt: null,
  repositories: 14,
  ...change,
});

function open(accounts: GithubInstallation[], role: RoleId = 'rol_owner') {
  signIn(role);
  const listed = { accounts };
  fakeApi.answer(getOrganization, () => organization({ role }));
  fakeApi.answer(listGithubInstallations, () => listed.accounts);
  return { listed, ...visitPage(path, GithubSetup, `${path}?setup=github`) };
}

test('shows the status and settings of each connected account and connects another', async () => {
  open([installation('acme'), installation('lab', { suspendedAt: '2026-11-21T10:00:00Z', repositories: 1 })]);
  let redirectURL: string | undefined;
  fakeApi.answer(initiateGithubInstall, ({ query }) => {
    redirectURL = query?.redirectURL;
    return { installationURL: '#elsewhere' };
  });
  const acme = within(await screen.findByRole('listitem', { name: 'acme' }));
  expect(acme.getByText(/^14 repositories, connected/)).toBeTruthy();
  expect(acme.getByRole('link', { name: /Settings on GitHub/ }).getAttribute('href')).toBe(
    'https://github.example/acme',
  );
  expect(within(screen.getByRole('listitem', { name: 'lab' })).getByText(/^Suspended/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Connect another account' }));
  await waitFor(() => expect(redirectURL).toBe(`${path}?setup=github`));
});

test('focuses the title first, and not the help beside it', async () => {
  open([installation('acme')]);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'GitHub' })));
});

test('disconnects one account after confirmation and keeps the other', async () => {
  const { listed } = open([installation('acme'), installation('lab')]);
  const removed: string[] = [];
  fakeApi.answer(disconnectGithub, ({ params }) => {
    removed.push(params.installationId);
    listed.accounts = [installation('acme')];
    return null;
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Disconnect GitHub, lab' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Disconnect GitHub, lab?' }));
  expect(dialog.getByText(/Imported data is kept/)).toBeTruthy();
  expect(removed).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: 'Disconnect' }));
  await waitFor(() => expect(screen.queryByRole('listitem', { name: 'lab' })).toBeNull());
  expect(removed).toEqual(['2']);
  expect(screen.getByRole('listitem', { name: 'acme' })).toBeTruthy();
});

test('shows in the dialog why an account could not be disconnected', async () => {
  open([installation('acme')]);
  fakeApi.refuse(disconnectGithub, 404, 'not_found', 'Account not found.');
  await userEvent.click(await screen.findByRole('button', { name: 'Disconnect GitHub, acme' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Disconnect GitHub, acme?' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Disconnect' }));
  expect(await dialog.findByText('Account not found.')).toBeTruthy();
});

test('opens for owners only', async () => {
  const { search } = open([installation('acme')], 'rol_contributor');
  await waitFor(() => expect(search()).toEqual({ setup: 'github' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});
