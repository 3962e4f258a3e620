import { completeOnboarding, getAccount } from '@sightline/contract/identity/accounts.ts';
import { createOrganization, listOrganizations } from '@sightline/contract/organization/organizations.ts';
import { getGithubStatus } from '@sightline/contract/sources/github.ts';
import { enableRepositories, listProviderRepos, type ProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { getStored } from '#lib/storage.ts';
import { fakeApi } from '#testing/fake-api.ts';
import { account, organization } from '#testing/people.fixture.ts';
import { signIn, visitApp } from '#testing/visit.tsx';

const user = userEvent.setup();

const github: z.output<typeof getGithubStatus.response> = {
  active: false,
  settingsURL: null,
  state: 'not_connected',
  accounts: [],
  sandbox: true,
};
const ids = ['0198c0de-0000-7000-8000-000000000001', '0198c0de-0000-7000-8000-000000000002'] as const;
const offered = (tracked: boolean): ProviderRepos => ({
  github: {
    acme: ids.map((id, index) => ({
      id,
      name: `repo-${index}`,
      fullName: `acme/repo-${index}`,
      isPrivate: false,
      private: false,
      defaultBranch: 'main',
      pushedAt: null,
      tracked,
    })),
  },
});

beforeEach(() => {
  signIn();
  fakeApi.answer(getAccount, () => account());
  fakeApi.answer(listOrganizations, () => [organization()]);
  fakeApi.answer(listProviderRepos, () => ({ providerRepos: {} }));
});

test('validates the name while it is typed and shows why an organization could not be created', async () => {
  fakeApi.answer(listOrganizations, () => []);
  fakeApi.refuse(createOrganization, 403, 'forbidden', 'You own enough organizations.');
  visitApp('/onboarding/setup/1');
  const name = await screen.findByLabelText('Organization name');
  const go = screen.getByRole('button', { name: 'Continue' });
  expect(go).toHaveProperty('disabled', true);
  await user.type(name, ' Acme & Co');
  expect(name).toHaveProperty('value', 'Acme & Co');
  screen.getByText(/might contain only \[A-z\] characters and !@#\$\.$/);
  expect(go).toHaveProperty('disabled', true);
  await user.clear(name);
  await user.type(name, 'Acme');
  const logged = vi.spyOn(console, 'error').mockReturnValue(undefined);
  await user.click(go);
  await screen.findByText('You own enough organizations.');
  expect(logged).toHaveBeenCalledWith('UPDATE_ORG_ERROR', expect.stringContaining('403'));
  logged.mockRestore();
});

test('shows an owner without a code host step 2, and names the sandbox as such', async () => {
  signIn('rol_owner');
  fakeApi.answer(getGithubStatus, () => github);
  const { address } = visitApp('/onboarding/setup/3');
  await screen.findByRole('button', { name: 'Connect Sandbox GitHub' });
  expect(address()).toBe('/onboarding/setup/2');
});

test('shows what the operator must configure if no app is set up', async () => {
  signIn('rol_owner');
  fakeApi.answer(getGithubStatus, () => ({ ...github, state: 'not_configured' as const, sandbox: false }));
  visitApp('/onboarding/setup/2');
  await screen.findByText('GITHUB_APP_ID');
  expect(screen.queryByRole('button', { name: /Connect/ })).toBeNull();
});

test('enables the selected repositories, completes onboarding and redirects to Home', async () => {
  signIn('rol_owner');
  let sent: unknown;
  fakeApi.answer(listProviderRepos, () => ({ providerRepos: offered(false) }));
  fakeApi.answer(enableRepositories, ({ body }) => {
    sent = body.providerRepos;
    return { providerRepos: offered(true) };
  });
  fakeApi.answer(completeOnboarding, () => account({ traits: { onboardingComplete: true } }));
  const { address } = visitApp('/onboarding/setup/2');
  const go = await screen.findByRole('button', { name: 'Continue' });
  expect(address()).toBe('/onboarding/setup/3');
  expect(go).toHaveProperty('disabled', true);
  await user.click(screen.getByRole('checkbox', { name: 'All of acme' }));
  await user.click(screen.getByRole('checkbox', { name: 'acme/repo-1' }));
  await user.click(go);
  await waitFor(() => expect(address()).toBe('/'));
  expect(sent).toEqual({ github: { acme: [{ id: ids[0], tracked: true }] } });
});

test('requires the setup of owners only', async () => {
  signIn('rol_reviewer');
  const { address } = visitApp('/onboarding/setup/2');
  await waitFor(() => expect(address()).toBe('/'));
});

test('numbers the three steps and remembers the setup until it is complete', async () => {
  fakeApi.answer(listOrganizations, () => []);
  visitApp('/onboarding/setup/1');
  expect((await screen.findByRole('progressbar', { name: 'Onboarding' })).getAttribute('aria-valuetext')).toBe('1/3');
  screen.getByRole('link', { name: 'Terms' });
  screen.getByRole('link', { name: 'Privacy' });
  await waitFor(() => expect(getStored('onboardingStarted')).toBe('true'));
  cleanup();

  fakeApi.answer(listOrganizations, () => [organization()]);
  fakeApi.answer(getGithubStatus, () => github);
  signIn('rol_owner');
  visitApp('/onboarding/setup/2');
  await screen.findByText('2/3');
  cleanup();

  fakeApi.answer(listProviderRepos, () => ({ providerRepos: offered(false) }));
  fakeApi.answer(enableRepositories, () => ({ providerRepos: offered(true) }));
  fakeApi.answer(completeOnboarding, () => account({ traits: { onboardingComplete: true } }));
  const { address } = visitApp('/onboarding/setup/3');
  await screen.findByText('3/3');
  await user.click(await screen.findByRole('checkbox', { name: 'acme/repo-1' }));
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(address()).toBe('/'));
  expect(getStored('onboardingStarted')).toBeUndefined();
});

test('disables Continue while the organization is created', async () => {
  fakeApi.answer(listOrganizations, () => []);
  fakeApi.answer(createOrganization, () => new Promise<never>(() => undefined));
  visitApp('/onboarding/setup/1');
  await user.type(await screen.findByLabelText('Organization name'), 'Acme');
  const go = screen.getByRole('button', { name: 'Continue' });
  expect(go).toHaveProperty('disabled', false);
  await user.click(go);
  await waitFor(() => expect(go).toHaveProperty('disabled', true));
});
