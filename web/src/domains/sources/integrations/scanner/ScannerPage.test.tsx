// @vitest-environment happy-dom

import type { CallOutput } from '@sightline/contract/core/endpoint.ts';
import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import {
  getScanner,
  listIntegrations,
  listScannerProjects,
  matchScannerProject,
  type ScannerProject,
  syncScanner,
} from '@sightline/contract/sources/integrations.ts';
import { listProviderRepos } from '@sightline/contract/sources/repositories.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { organization } from '#testing/people.fixture.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { checkmarx, idleSync, project, settings } from '../integration.fixture.ts';
import { ScannerPage } from './ScannerPage.tsx';

const api = '00000000-0000-4000-8000-000000000001';
const offer = (id: string, fullName: string, tracked: boolean) => ({
  id,
  name: fullName.slice(5),
  fullName,
  isPrivate: false,
  private: false,
  defaultBranch: 'main',
  pushedAt: null,
  tracked,
});

function open({
  role = 'rol_owner' as RoleId,
  connected = settings() as ReturnType<typeof settings> | null,
  rows = [project()] as ScannerProject[],
} = {}) {
  signIn(role);
  fakeApi.answer(getOrganization, () => organization({ role }));
  fakeApi.answer(listIntegrations, () => [checkmarx({ status: connected ? 'active' : 'inactive' })]);
  fakeApi.answer(getScanner, () => connected);
  fakeApi.answer(listScannerProjects, () => ({ rows, total: rows.length }));
  fakeApi.answer(listProviderRepos, () => ({
    providerRepos: { github: { acme: [offer(api, 'acme/api', true), offer(api, 'acme/old', false)] } },
  }));
  return visitPage(
    '/integrations/security-scanners/checkmarx',
    () => <ScannerPage scanner="checkmarx" />,
    '/integrations/security-scanners/checkmarx',
  );
}

test('shows the connection without the key', async () => {
  open();
  expect(await screen.findByText('acme')).toBeTruthy();
  expect(screen.getByText('9f3c')).toBeTruthy();
  expect(screen.getByText('By webhook, immediately')).toBeTruthy();
  expect(screen.getByText('Checked 12 projects, imported 1,240 new results')).toBeTruthy();
});

test('explains without a webhook how scans arrive and what would change that', async () => {
  open({ connected: settings({ webhook: 'not_registered' }) });
  expect(await screen.findByText('Polled hourly')).toBeTruthy();
  expect(screen.getByText(/Grant the owner of the key permission to manage webhooks/)).toBeTruthy();
});

test('maps a project to an enabled repository', async () => {
  open();
  let matched: unknown;
  fakeApi.answer(matchScannerProject, ({ params, body }) => {
    matched = { ...params, ...body };
    return project({ repository: { id: api, fullName: 'acme/api' }, matchedBy: 'manual' });
  });
  expect(await screen.findByText('Not matched')).toBeTruthy();
  const select = screen.getByRole('combobox', { name: 'Repository of payments' });
  await waitFor(() => expect(select.hasAttribute('disabled')).toBe(false));
  await userEvent.click(select);
  expect(screen.queryByRole('option', { name: 'acme/old' })).toBeNull();
  await userEvent.type(select, 'api');
  await userEvent.click(await screen.findByRole('option', { name: 'acme/api' }));
  await waitFor(() => expect(matched).toEqual({ scanner: 'checkmarx', projectId: 'p-1', repositoryId: api }));
});

test('chooses a repository by typing and Enter once repositories are loaded', async () => {
  open();
  const repositories = Promise.withResolvers<CallOutput<typeof listProviderRepos>>();
  fakeApi.answer(listProviderRepos, () => repositories.promise);
  let matched: unknown;
  fakeApi.answer(matchScannerProject, ({ params, body }) => {
    matched = { ...params, ...body };
    return project({ repository: { id: api, fullName: 'acme/api' }, matchedBy: 'manual' });
  });
  const select = await screen.findByRole('combobox', { name: 'Repository of payments' });
  expect(select.hasAttribute('disabled')).toBe(true);
  repositories.resolve({ providerRepos: { github: { acme: [offer(api, 'acme/api', true)] } } });
  await waitFor(() => expect(select.hasAttribute('disabled')).toBe(false));
  await userEvent.type(select, 'api{Enter}');
  await waitFor(() => expect(matched).toEqual({ scanner: 'checkmarx', projectId: 'p-1', repositoryId: api }));
});

test('excludes a project', async () => {
  open({ rows: [project({ repository: { id: api, fullName: 'acme/api' }, matchedBy: 'url' })] });
  let matched: unknown;
  fakeApi.answer(matchScannerProject, ({ body }) => {
    matched = body;
    return project({ matchedBy: 'manual' });
  });
  expect(await screen.findByText('By URL')).toBeTruthy();
  const select = screen.getByRole('combobox', { name: 'Repository of payments' });
  await waitFor(() => expect(select.hasAttribute('disabled')).toBe(false));
  await userEvent.click(select);
  await userEvent.click(await screen.findByRole('option', { name: /\(exclude\)/ }));
  await waitFor(() => expect(matched).toEqual({ repositoryId: null }));
});

test('starts a sync once', async () => {
  open();
  fakeApi.answer(syncScanner, () => {
    const queued = settings({ sync: { ...idleSync, state: 'queued', projects: { done: 0, total: null }, results: 0 } });
    fakeApi.answer(getScanner, () => queued);
    return queued;
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Sync now' }));
  expect((await screen.findByRole('button', { name: 'Syncing' })).hasAttribute('disabled')).toBe(true);
  const bar = screen.getByRole('progressbar', { name: 'Importing from Checkmarx One' });
  expect(bar.getAttribute('aria-valuetext')).toBe('Starting');
});

test('shows why a sync failed and what happens next', async () => {
  open({ connected: settings({ sync: { ...idleSync, state: 'failed', error: 'Checkmarx One does not answer.' } }) });
  expect(await screen.findByText('Checkmarx One does not answer.')).toBeTruthy();
  expect(screen.getByText(/Sightline tries again/)).toBeTruthy();
});

test('shows the form while disconnected', async () => {
  open({ connected: null });
  await userEvent.click(await screen.findByRole('button', { name: 'Setup with an API key' }));
  expect(await screen.findByRole('dialog', { name: 'Set up Checkmarx One' })).toBeTruthy();
});

test('shows other roles that only owners may connect', async () => {
  open({ role: 'rol_reviewer' });
  expect(await screen.findByText('Only Account Owners configure scanners')).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
});
