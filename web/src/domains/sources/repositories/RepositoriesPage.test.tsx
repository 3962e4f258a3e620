// @vitest-environment happy-dom

import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { getGithubStatus } from '@sightline/contract/sources/github.ts';
import { type Integration, listIntegrations } from '@sightline/contract/sources/integrations.ts';
import {
  enableRepositories,
  listProviderRepos,
  listRepositories,
  type RepositoryListItem,
  retryImport,
} from '@sightline/contract/sources/repositories.ts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { organization } from '#testing/people.fixture.ts';
import { signIn, visitPage } from '#testing/visit.tsx';
import { OrganizationRepositoriesPage } from './OrganizationRepositoriesPage.tsx';
import { RepositoriesPage } from './RepositoriesPage.tsx';
import { repository, runningImport } from './repository.fixture.ts';

function open({
  role = 'rol_owner' as RoleId,
  address = '/repositories',
  active = true,
  others = [] as Integration[],
  rows = [repository()] as RepositoryListItem[],
  Page = RepositoriesPage as () => ReactNode,
} = {}) {
  signIn(role);
  const requests: unknown[] = [];
  fakeApi.answer(getGithubStatus, () => ({
    active,
    settingsURL: 'https://github.example/settings',
    state: active ? ('active' as const) : ('not_connected' as const),
    accounts: [],
    sandbox: true,
  }));
  fakeApi.answer(listIntegrations, () => others);
  fakeApi.answer(listRepositories, ({ query }) => {
    requests.push(query);
    return { rows, total: rows.length };
  });
  return { requests, ...visitPage('/repositories', Page, address) };
}

test('lists the requested repositories with links', async () => {
  const { requests } = open({ address: '/repositories?search=ap&sort=name-asc' });
  const link = await screen.findByRole('link', { name: /acme\/\s?api/ });
  expect(link.getAttribute('href')).toBe('/repository/github/acme/api');
  expect(requests[0]).toMatchObject({ search: 'ap', sort: 'name-asc', page: 1, perPage: 10 });
  expect(screen.getByText('Not configured')).toBeTruthy();
});

test('does not require GitHub if another code host is connected', async () => {
  const gitlab: Integration = {
    name: 'gitlab',
    title: 'GitLab',
    category: 'source-code-management',
    description: 'Repositories.',
    status: 'active',
    detail: '1 repository',
    lastSyncAt: null,
    checkedAt: null,
    problem: null,
    missing: [],
    notes: [],
    links: [],
    defaultURL: null,
  };
  open({ active: false, others: [gitlab] });
  expect(await screen.findByRole('link', { name: /acme\/\s?api/ })).toBeTruthy();
  expect(await screen.findByRole('button', { name: 'Add repositories' })).toBeTruthy();
  expect(screen.queryByText('Github not connected')).toBeNull();
});

test('enables an offered repository', async () => {
  open({ rows: [] });
  const offer = {
    id: repository().id,
    name: 'api',
    fullName: 'acme/api',
    isPrivate: false,
    private: false,
    defaultBranch: 'main',
    pushedAt: null,
    tracked: false,
  };
  const providerRepos = { github: { acme: [offer] } };
  fakeApi.answer(listProviderRepos, () => ({ providerRepos }));
  let chosen: unknown;
  fakeApi.answer(enableRepositories, ({ body }) => {
    chosen = body;
    return { providerRepos };
  });
  expect(await screen.findByText('No repositories enabled for this organization')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Enable repositories' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'api' }));
  await userEvent.click(screen.getByRole('button', { name: 'Enable 1 repository' }));
  await waitFor(() =>
    expect(chosen).toEqual({ providerRepos: { github: { acme: [{ id: offer.id, tracked: true }] } } }),
  );
});

test('confirms disabling and names the repository', async () => {
  open();
  let chosen: unknown;
  fakeApi.answer(enableRepositories, ({ body }) => {
    chosen = body;
    return { providerRepos: {} };
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for acme/api' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Disable repository' }));
  const dialog = await screen.findByRole('dialog', { name: 'Disable acme/api?' });
  expect(chosen).toBeUndefined();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Disable repository' }));
  await waitFor(() =>
    expect(chosen).toEqual({ providerRepos: { github: { acme: [{ id: repository().id, tracked: false }] } } }),
  );
});

test('disables adding and disabling for contributors with a reason', async () => {
  open({ role: 'rol_contributor' });
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for acme/api' }));
  const item = await screen.findByRole('menuitem', { name: 'Disable repository' });
  expect(item.hasAttribute('data-disabled')).toBe(true);
  expect(screen.getAllByText('Only the account owner can make this action').length).toBeGreaterThan(0);
  expect(screen.queryByRole('button', { name: 'Add repositories' })).toBeNull();
});

test('without GitHub, shows other roles than owners whom to contact', async () => {
  fakeApi.answer(getOrganization, () => organization({ role: 'rol_contributor' }));
  open({ role: 'rol_contributor', active: false });
  expect(await screen.findByText('Github not connected')).toBeTruthy();
  expect(await screen.findByText(/contact your organization administrator: olga@acme.example/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Connect/ })).toBeNull();
});

test('shows the progress of a running import', async () => {
  open({ rows: [repository({ import: runningImport() })] });
  const bar = await screen.findByRole('progressbar', { name: 'Importing acme/api' });
  expect(bar.getAttribute('aria-valuenow')).toBe('400');
  expect(screen.getByText('Running: commits 400 of 1,600')).toBeTruthy();
});

test('shows why an import failed and retries it', async () => {
  open({ rows: [repository({ import: runningImport({ state: 'failed', error: 'GitHub refused the app.' }) })] });
  let retried: unknown;
  fakeApi.answer(retryImport, ({ params }) => {
    retried = params;
    return runningImport({ state: 'queued' });
  });
  expect(await screen.findByText('GitHub refused the app.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Retry the import of acme/api' }));
  await waitFor(() => expect(retried).toEqual({ provider: 'github', repoPath: 'acme/api' }));
});

test('moves to the last page from a page beyond it', async () => {
  const { search } = open({ address: '/repositories?page=7' });
  await waitFor(() => expect(search()).toEqual({}));
});

test('offers a retry if no response arrives', async () => {
  open();
  fakeApi.refuse(listRepositories, 503, 'unavailable', 'The database is away.');
  expect(await screen.findByText('The database is away.')).toBeTruthy();
  fakeApi.answer(listRepositories, () => ({ rows: [repository()], total: 1 }));
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: /acme\/\s?api/ })).toBeTruthy();
});

test('shows and clears a search without results', async () => {
  const { search } = open({ address: '/repositories?search=zzz&sort=name-asc', rows: [] });
  expect(await screen.findByText('No repository matches')).toBeTruthy();
  expect(screen.getByRole('list', { name: 'Filters in use' }).textContent).toBe('“zzz”');
  await userEvent.click(screen.getByRole('button', { name: 'Clear filter' }));
  expect(search()).toEqual({ sort: 'name-asc' });
  expect(await screen.findByText('No repositories enabled for this organization')).toBeTruthy();
});

test('shows a role without permission whom to contact', async () => {
  open({ role: 'rol_auditor' });
  fakeApi.refuse(listRepositories, 403, 'forbidden', 'This needs read:github-repos.');
  expect(await screen.findByText('Your role does not include this')).toBeTruthy();
  expect(screen.getByText(/This needs read:github-repos\. An account owner .* can give you another role/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('shows connection settings and adding to owners only', {
  tags: 'full',
}, async () => {
  open();
  const settings = await screen.findByRole('link', { name: /^Settings/ });
  expect(settings.getAttribute('href')).toBe('https://github.example/settings');
  expect(screen.getByRole('button', { name: 'Add repositories' })).toBeTruthy();
  cleanup();
  open({ role: 'rol_contributor' });
  await screen.findByRole('link', { name: /acme\/\s?api/ });
  expect(screen.queryByRole('link', { name: /^Settings/ })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Add repositories' })).toBeNull();
});

test('offers an owner to connect GitHub', async () => {
  open({ active: false });
  expect(await screen.findByText('Github not connected')).toBeTruthy();
  expect(screen.getByRole('button', { name: /^Connect/ })).toBeTruthy();
});

test('shows code host, owner, name, privacy and last change in a row', async () => {
  const lastChange = new Date(Date.now() - 3 * 86_400_000).toISOString();
  const old = { id: '018f2a52-0000-7000-8000-000000000009', name: 'old', fullName: 'acme/old' };
  open({
    rows: [repository({ lastChange }), repository({ ...old, isPrivate: false, lastChange: '2020-02-03T10:00:00Z' })],
  });
  const link = await screen.findByRole('link', { name: /acme\/\s?api/ });
  const [first, second] = screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row));
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['Repository', expect.stringContaining('Vulnerabilities'), 'Last change']),
  );
  expect(first?.getByTitle('GitHub')).toBeTruthy();
  expect(first?.getByLabelText('Private')).toBeTruthy();
  expect(first?.getByText('3 days ago').getAttribute('datetime')).toBe(lastChange);
  expect(second?.queryByLabelText('Private')).toBeNull();
  expect(second?.getByText('3 Feb 2020')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Actions for acme/api' }));
  const entry = await screen.findByRole('menuitem', { name: 'Open' });
  expect(entry.getAttribute('href')).toBe(link.getAttribute('href'));
});

test('shows a scanner with results as active and others as inactive, with tooltips', async () => {
  open({
    rows: [
      repository({ scannerStatus: 'healthy' }),
      repository({ id: '018f2a52-0000-7000-8000-000000000009', fullName: 'acme/b', scannerStatus: 'error' }),
    ],
  });
  await userEvent.hover(await screen.findByText('active'));
  expect((await screen.findByText('Scanner active')).getAttribute('role')).toBe('tooltip');
  await userEvent.hover(screen.getByText('inactive'));
  expect((await screen.findByText('Scanner not configured properly')).getAttribute('role')).toBe('tooltip');
});

test('warns that disabling removes access, and refetches the list', async () => {
  const { requests } = open();
  fakeApi.answer(enableRepositories, () => ({ providerRepos: {} }));
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for acme/api' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Disable repository' }));
  const dialog = await screen.findByRole('dialog', { name: 'Disable acme/api?' });
  expect(dialog.textContent).toContain('Members lose access to it here');
  const before = requests.length;
  fakeApi.answer(listRepositories, () => ({ rows: [], total: 0 }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Disable repository' }));
  expect(await screen.findByText('No repositories enabled for this organization')).toBeTruthy();
  expect(before).toBe(1);
});

test('shows connected hosts on the organization tab, and settings to owners only', {
  tags: 'full',
}, async () => {
  open({ Page: OrganizationRepositoriesPage });
  expect(await screen.findByText('GitHub is connected')).toBeTruthy();
  expect(screen.getByRole('link', { name: /^Settings/ })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Add repositories' })).toBeTruthy();
  cleanup();
  open({ Page: OrganizationRepositoriesPage, role: 'rol_reviewer' });
  expect(await screen.findByText('GitHub is connected')).toBeTruthy();
  expect(screen.queryByRole('link', { name: /^Settings/ })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Add repositories' })).toBeNull();
});
