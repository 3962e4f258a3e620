import { getAccount, hideTips } from '@sightline/contract/identity/accounts.ts';
import { listFeatureFlags } from '@sightline/contract/identity/feature-flags.ts';
import { listOrganizations } from '@sightline/contract/organization/organizations.ts';
import { getGithubStatus } from '@sightline/contract/sources/github.ts';
import {
  listProviderRepos,
  listRepositories,
  type ProviderRepos,
  type RepositoryImport,
  type RepositoryListItem,
} from '@sightline/contract/sources/repositories.ts';
import { getExtensionStatus } from '@sightline/contract/tools/presence.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { togglesOf } from '#testing/flags.fixture.ts';
import { account, extensions, organization } from '#testing/people.fixture.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { HomePage } from './HomePage.tsx';

const id = '0198c0de-0000-7000-8000-000000000001';
const offered = (tracked: boolean): ProviderRepos => ({
  github: {
    acme: [
      {
        id,
        name: 'api',
        fullName: 'acme/api',
        isPrivate: false,
        private: false,
        defaultBranch: 'main',
        pushedAt: null,
        tracked,
      },
    ],
  },
});
const reading: RepositoryImport = {
  state: 'running',
  phase: 'commits',
  commits: { done: 1200, total: 4000 },
  pullRequests: { done: 0, total: null },
  files: { done: 0, total: null },
  error: null,
  missing: 0,
  waitingUntil: null,
  startedAt: null,
  finishedAt: null,
};
const repository = (progress: RepositoryImport | null): RepositoryListItem => ({
  id,
  orgId: 'organization',
  provider: 'github',
  providerRepoId: '1',
  owner: 'acme',
  name: 'api',
  fullName: 'acme/api',
  defaultBranch: 'main',
  isPrivate: false,
  private: false,
  tracked: true,
  pushedAt: null,
  url: 'https://github.com/acme/api',
  lastChange: null,
  scannerStatus: 'not_configured',
  severityCounts: null,
  openPullRequests: 0,
  import: progress,
});

beforeEach(() => {
  signIn('rol_owner');
  fakeApi.answer(getAccount, () => account({ traits: { onboardingComplete: true } }));
  fakeApi.answer(listFeatureFlags, () => togglesOf('release2', 'vulnerabilities'));
  fakeApi.answer(listProviderRepos, () => ({ providerRepos: offered(true) }));
  fakeApi.answer(listRepositories, () => ({ rows: [], total: 0 }));
  fakeApi.answer(listOrganizations, () => [organization()]);
  fakeApi.answer(getGithubStatus, () => ({
    active: true,
    settingsURL: null,
    state: 'active' as const,
    accounts: ['acme'],
    sandbox: false,
  }));
});

test('shows an owner the next setup step and no tips before the setup is complete', async () => {
  fakeApi.answer(listProviderRepos, () => ({ providerRepos: offered(false) }));
  visitPage('/', HomePage, '/');
  const next = await screen.findByRole('link', { name: 'Add repositories' });
  expect(next.getAttribute('href')).toBe('/onboarding/setup/3');
  screen.getByText('2 of 3 done');
  screen.getByText('Release Notes');
  expect(screen.queryByText('Quick tips')).toBeNull();
});

test('shows a tip and links to the others in Help', async () => {
  visitPage('/', HomePage, '/');
  await screen.findByRole('heading', { name: 'Quick tips' });
  const link = screen.getByRole('link', { name: /^More tips/ });
  expect(link.getAttribute('href')).toBe('/docs/tips#quick-tips');
});

test('hides the tips permanently', async () => {
  fakeApi.answer(hideTips, () => {
    const changed = account({ traits: { onboardingComplete: true, hideTips: true } });
    fakeApi.answer(getAccount, () => changed);
    return changed;
  });
  visitPage('/', HomePage, '/');
  await userEvent.click(await screen.findByRole('button', { name: 'Hide tips' }));
  await waitFor(() => expect(screen.queryByText('Quick tips')).toBeNull());
  screen.getByText('Release Notes');
});

test('shows the progress of a running import and removes it when it is done', async () => {
  let progress: RepositoryImport = reading;
  fakeApi.answer(listRepositories, () => ({ rows: [repository(progress)], total: 1 }));
  const { queryClient } = visitPage('/', HomePage, '/');
  const bar = await screen.findByRole('progressbar', { name: 'Importing acme/api' });
  expect(bar.getAttribute('aria-valuenow')).toBe('1200');
  screen.getByText('Running: commits 1,200 of 4,000');
  progress = { ...reading, state: 'done' };
  await queryClient.invalidateQueries({ queryKey: [listRepositories.path] });
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
});

test('shows a contributor the missing steps of their profile and no tips', async () => {
  signIn('rol_contributor');
  fakeApi.answer(getAccount, () =>
    account({ traits: { github: { login: 'ada', name: null }, onboardingComplete: true } }),
  );
  fakeApi.answer(getExtensionStatus, () => extensions());
  visitPage('/', HomePage, '/');
  const next = await screen.findByRole('link', { name: 'Get the extension' });
  expect(next.getAttribute('href')).toBe('/onboarding/setup/2');
  screen.getByText('1 of 2 done');
  expect(screen.queryByRole('link', { name: 'Connect GitHub' })).toBeNull();
  expect(screen.queryByText('Set up your organization')).toBeNull();
  expect(screen.queryByText('Quick tips')).toBeNull();
});

test('does not require a GitHub identity if no repository is read from GitHub', async () => {
  signIn('rol_contributor');
  fakeApi.answer(getExtensionStatus, () => extensions());
  fakeApi.answer(getGithubStatus, () => ({
    active: false,
    settingsURL: null,
    accounts: [],
    sandbox: false,
    state: 'not_connected' as const,
  }));
  visitPage('/', HomePage, '/');
  await screen.findByRole('link', { name: 'Get the extension' });
  screen.getByText('0 of 1 done');
  expect(screen.queryByText('Connect your GitHub identity')).toBeNull();
});

test('shows a loading state under the heading until the remaining setup is known', async () => {
  fakeApi.answer(getAccount, () => new Promise<never>(() => undefined));
  visitPage('/', HomePage, '/');
  expect((await screen.findByText('Loading')).getAttribute('role')).toBe('status');
  screen.getByRole('heading', { name: 'Home' });
  expect(screen.queryByText('Release Notes')).toBeNull();
});

test('shows release notes of version 1.0', async () => {
  visitPage('/', HomePage, '/');
  const notes = (await screen.findByRole('heading', { name: 'Release Notes' })).closest('section');
  for (const words of ['Version 1.0', 'April 15, 2025', 'Tool Inventory']) expect(notes?.textContent).toContain(words);
  expect(screen.getByRole('link', { name: /^All notes/ }).getAttribute('href')).toBe('/docs/tips#version-10');
});
