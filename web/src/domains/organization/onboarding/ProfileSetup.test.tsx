// @vitest-environment happy-dom
import { completeOnboarding, getAccount } from '@sightline/contract/identity/accounts.ts';
import { listConnections, startLink } from '@sightline/contract/identity/identities.ts';
import { listOrganizations } from '@sightline/contract/organization/organizations.ts';
import { getGithubStatus } from '@sightline/contract/sources/github.ts';
import { listDownloads } from '@sightline/contract/tools/downloads.ts';
import { getExtensionStatus } from '@sightline/contract/tools/presence.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { account, extensions, organization } from '#testing/people.fixture.ts';
import { signIn, visitApp } from '#testing/visitPage.tsx';

const github = { login: 'ada', name: 'Ada' };
const open = (step: string) => visitApp(`/onboarding/setup/${step}`);

beforeEach(() => {
  signIn('rol_contributor');
  fakeApi.answer(getAccount, () => account());
  fakeApi.answer(listOrganizations, () => [organization({ role: 'rol_contributor' })]);
  fakeApi.answer(getExtensionStatus, () => extensions());
  fakeApi.answer(listConnections, () => [
    { connection: 'github', label: 'GitHub', kind: 'github' as const, sandbox: true },
  ]);
  fakeApi.answer(listDownloads, () => []);
});

test('links to the code host in the first of two steps and returns', async () => {
  let requestBody: unknown;
  fakeApi.answer(startLink, ({ body }) => {
    requestBody = body;
    return { url: 'https://host.example/authorize' };
  });
  const left = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  open('1');
  await userEvent.click(await screen.findByRole('button', { name: 'Connect Sandbox GitHub' }));
  await waitFor(() => expect(left).toHaveBeenCalledWith('https://host.example/authorize'));
  expect(requestBody).toEqual({ connection: 'github', path: '/onboarding/setup/1' });
  expect(screen.getByRole('progressbar', { name: 'Onboarding' }).getAttribute('aria-valuetext')).toBe('1/2');
});

test('without that login provider, explains it and lets the user continue', async () => {
  fakeApi.answer(listConnections, () => []);
  const { address } = open('1');
  await screen.findByText(/Sign-in with GitHub is not configured/);
  expect(screen.queryByRole('button', { name: /^Connect/ })).toBeNull();
  await userEvent.click(screen.getByRole('link', { name: "I'll do this later" }));
  await screen.findByRole('heading', { name: 'Install the editor extension' });
  expect(address()).toBe('/onboarding/setup/2');
});

test('without GitHub repositories, skips the identity and continues with the editor', async () => {
  fakeApi.answer(getGithubStatus, () => ({
    active: false,
    settingsURL: null,
    accounts: [],
    sandbox: false,
    state: 'not_connected' as const,
  }));
  fakeApi.answer(getExtensionStatus, () => extensions({ ide_status: 'connected' }));
  const { address } = open('1');
  await screen.findByRole('button', { name: 'Continue to your workspace' });
  expect(address()).toBe('/onboarding/setup/2');
});

test('continues when the identity appears', async () => {
  let me = account();
  fakeApi.answer(getAccount, () => me);
  const { address, queryClient } = open('1');
  await screen.findByRole('heading', { name: 'Connect your GitHub identity' });
  me = account({ traits: { github } });
  await queryClient.invalidateQueries({ queryKey: [getAccount.path] });
  await screen.findByRole('heading', { name: 'Install the editor extension' });
  expect(address()).toBe('/onboarding/setup/2');
});

test('offers downloads beside the marketplace in the second step, and can skip it', async () => {
  fakeApi.answer(listDownloads, () => [
    {
      target: 'vscode' as const,
      version: '1.2.0',
      system: null,
      architecture: null,
      fileName: 'sightline-vscode-1.2.0.vsix',
      url: '/downloads/sightline-vscode-1.2.0.vsix',
      size: 1,
      sha256: '0'.repeat(64),
    },
  ]);
  fakeApi.answer(completeOnboarding, () => account({ traits: { onboardingComplete: true } }));
  const { address } = open('2');
  const file = await screen.findByRole('link', { name: 'sightline-vscode-1.2.0.vsix' });
  expect(file.getAttribute('href')).toBe('/downloads/sightline-vscode-1.2.0.vsix');
  expect(screen.getByRole('button', { name: 'Get from Marketplace' })).toHaveProperty('disabled', true);
  await userEvent.click(screen.getByRole('button', { name: "I'll do this later" }));
  await waitFor(() => expect(address()).toBe('/'));
});

test('continues to the workspace and completes onboarding once the extension reports', async () => {
  fakeApi.answer(getAccount, () => account({ traits: { github } }));
  fakeApi.answer(getExtensionStatus, () => extensions({ ide_status: 'connected' }));
  let completed = false;
  fakeApi.answer(completeOnboarding, () => {
    completed = true;
    return account({ traits: { github, onboardingComplete: true } });
  });
  const { address } = open('2');
  const go = await screen.findByRole('button', { name: 'Continue to your workspace' });
  expect(screen.queryByText(/Get from Marketplace/)).toBeNull();
  await userEvent.click(go);
  await waitFor(() => expect(address()).toBe('/'));
  expect(completed).toBe(true);
});

test('skips a completed setup', async () => {
  fakeApi.answer(getAccount, () => account({ traits: { github, onboardingComplete: true } }));
  fakeApi.answer(getExtensionStatus, () => extensions({ ide_status: 'connected' }));
  const { address } = open('1');
  await waitFor(() => expect(address()).toBe('/'));
});
