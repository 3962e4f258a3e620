// @vitest-environment happy-dom

import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import {
  authorizeHost,
  connectHost,
  getHostConnection,
  type HostState,
  listHostWorkspaces,
  selectHostWorkspaces,
} from '@sightline/contract/sources/host-connections.ts';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { organization } from '#testing/people.fixture.ts';
import { signIn, visitPage } from '#testing/visit.tsx';
import { HostCallbackPage } from './HostCallbackPage.tsx';
import { HostSetup } from './HostSetup.tsx';

const path = '/integrations/source-code-management';
const workspace = { id: '7', path: 'acme', name: 'Acme', url: 'https://gitlab.example/acme', kind: 'group' as const };
const state = (connection: Partial<HostState['connection']> | null): HostState => ({
  provider: 'gitlab',
  oauth: true,
  defaultURL: 'https://gitlab.com',
  selfManaged: true,
  acceptsEmail: false,
  sandboxPage: null,
  connection: connection && {
    kind: 'oauth',
    baseURL: 'https://gitlab.com',
    login: 'ada',
    display: 'ada',
    failure: null,
    missing: [],
    connectedAt: '2026-11-20T10:00:00Z',
    webhooks: { created: 0, failed: 0, failure: null },
    workspaces: [],
    ...connection,
  },
});
const Page = () => <HostSetup host="gitlab" />;

function open(onward: string, given: HostState) {
  signIn('rol_owner');
  fakeApi.answer(getOrganization, () => organization());
  fakeApi.answer(getHostConnection, () => given);
  fakeApi.answer(listHostWorkspaces, () => [{ ...workspace, selected: false }]);
  return visitPage(path, Page, `${path}?setup=gitlab${onward}`).address;
}

const fromSetup = '&path=%2Fonboarding%2Fsetup%2F3';

async function pick() {
  fakeApi.answer(selectHostWorkspaces, () => state({ workspaces: [{ ...workspace, repositories: 3 }] }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'acme' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
}

test('returns to the setup of the organization from where it was opened', async () => {
  const address = open(fromSetup, state({}));
  await pick();
  await waitFor(() => expect(address()).toBe('/onboarding/setup/3'));
});

test('returns to the setup when it is closed', async () => {
  const address = open(fromSetup, state(null));
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(address()).toBe('/onboarding/setup/3'));
});

test('keeps the return address while signing in at the host', async () => {
  let redirectURL: string | undefined;
  fakeApi.answer(authorizeHost, ({ query }) => {
    redirectURL = query?.redirectURL;
    return { authorizationURL: '#elsewhere' };
  });
  open(fromSetup, state(null));
  await userEvent.click(await screen.findByRole('button', { name: 'Sign in with GitLab' }));
  await waitFor(() => expect(redirectURL).toBe(`${path}?setup=gitlab${fromSetup}`));
});

test('offers a retry from the original page after the host refused', async () => {
  fakeApi.answer(authorizeHost, () => ({ authorizationURL: '#elsewhere' }));
  open(fromSetup, state(null));
  await userEvent.click(await screen.findByRole('button', { name: 'Sign in with GitLab' }));
  await waitFor(() => expect(window.location.hash).toBe('#elsewhere'));
  cleanup();
  visitPage('/callback', () => <HostCallbackPage host="gitlab" />, '/callback?error=access_denied');
  const again = await screen.findByRole('link', { name: 'Try again' });
  expect(again.getAttribute('href')).toBe(`${path}?setup=gitlab${fromSetup}`);
});

test.each(['', '&path=https%3A%2F%2Fevil.example'])(
  'redirects to the repositories for any other return path (%s)',
  async (onward) => {
    const address = open(onward, state({}));
    await pick();
    await waitFor(() => expect(address()).toBe('/organization/repositories'));
  },
);

test('focuses the field of the token, and then the field with an error', async () => {
  const address = open('', state(null));
  fakeApi.refuse(connectHost, 400, 'validation_failed', 'The host does not take this token.');
  await userEvent.click(await screen.findByRole('button', { name: 'Use an access token' }));
  const token = screen.getByLabelText(/^Access token/);
  expect(document.activeElement).toBe(token);
  await userEvent.type(token, 'not a token');
  await userEvent.click(screen.getByRole('button', { name: 'Connect' }));
  await screen.findByText('The host does not take this token.');
  expect(token).toHaveProperty('value', 'not a token');
  expect(address()).toBe(`${path}?setup=gitlab`);
});
