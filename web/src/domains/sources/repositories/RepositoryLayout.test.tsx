// @vitest-environment happy-dom

import { listFeatureFlags } from '@sightline/contract/identity/feature-flags.ts';
import { type Contributor, listContributors } from '@sightline/contract/sources/contributors.ts';
import { getPullRequestsMeta, listPullRequests, type PullRequest } from '@sightline/contract/sources/pull-requests.ts';
import { getRepository, getRepositoryById } from '@sightline/contract/sources/repositories.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { act } from 'react';
import { expect, test } from 'vitest';
import { waitForFlags } from '#lib/flags.ts';
import { clearSession } from '#lib/session.ts';
import { fakeApi } from '#testing/fake-api.ts';
import { togglesOf } from '#testing/flags.fixture.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { ContributorsPage } from './ContributorsPage.tsx';
import { PullRequestsPage } from './PullRequestsPage.tsx';
import { RepositoryByIdPage } from './RepositoryByIdPage.tsx';
import { RepositoryLayout } from './RepositoryLayout.tsx';
import { RepositorySettingsPage } from './RepositorySettingsPage.tsx';
import { repository } from './repository.fixture.ts';

const pullRequest: PullRequest = {
  id: '42',
  number: 42,
  title: 'Keep request ids',
  status: 'in-progress',
  draft: true,
  createdAt: '2026-11-20T10:00:00Z',
  updatedAt: '2026-11-20T10:00:00Z',
  mergedAt: null,
  closedAt: null,
  author: { authorLogin: 'ada', name: 'Ada Lovelace', avatarUrl: null, isAgent: false, member: null },
  url: 'https://github.example/acme/api/pull/42',
  baseRef: 'main',
  headRef: 'fix/ids',
  headSha: 'abc',
  additions: 3,
  deletions: 1,
  reviewers: [
    {
      login: 'bob',
      name: 'Bob Builder',
      picture: null,
      state: 'approved',
      at: '2026-11-20T11:00:00Z',
      afterLastPush: true,
    },
  ],
  checks: null,
  aiShare: null,
  exploreContext: { contextId: '018f2a52-0000-7000-8000-0000000000cc' },
};

function open(address: string, pullRequests: PullRequest[] = [pullRequest]) {
  signIn('rol_contributor');
  const requests: unknown[] = [];
  fakeApi.answer(getRepository, () => repository());
  fakeApi.answer(getPullRequestsMeta, () => ({
    count: { open: 3, closed: 2 },
    authors: [{ authorLogin: 'ada', name: 'Ada Lovelace', avatarUrl: null, count: 5 }],
  }));
  fakeApi.answer(listPullRequests, ({ params, query }) => {
    requests.push({ ...params, ...query });
    return { rows: pullRequests, total: pullRequests.length };
  });
  return { requests, ...visitPage('/repository/$provider/$owner/$', Page, address) };
}

const Page = () => (
  <RepositoryLayout
    pages={{
      'pull-requests': PullRequestsPage,
      vulnerabilities: () => null,
      scans: () => null,
      tools: () => null,
      contributors: ContributorsPage,
      settings: RepositorySettingsPage,
    }}
  />
);

test('shows the open pull requests of the repository in the address', async () => {
  const { requests } = open('/repository/github/acme/api');
  const link = await screen.findByRole('link', { name: /Keep request ids/ });
  expect(link.getAttribute('href')).toBe(pullRequest.url);
  expect(requests).toEqual([expect.objectContaining({ repoPath: 'acme/api', statuses: ['in-progress'] })]);
  expect(screen.getByText('Draft')).toBeTruthy();
  expect(screen.getByText('Approved')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Explore events of #42' }).getAttribute('href')).toBe(
    `/explore?context=${pullRequest.exploreContext.contextId}`,
  );
});

test.each([
  [1, '1 commit'],
  [2, '2 commits'],
])('shows for %i commits: %s', async (commits, text) => {
  open('/repository/github/acme/api');
  fakeApi.answer(getRepository, () => repository({ counts: { pullRequests: 5, commits, contributors: 2 } }));
  await screen.findByText(text);
});

test('lists closed and accepted pull requests and keeps the view in the address', async () => {
  const { requests, search } = open('/repository/github/acme/api?page=3');
  await userEvent.click(await screen.findByText('Closed PRs'));
  await waitFor(() => expect(search()).toEqual({ statuses: 'closed,accepted' }));
  await waitFor(() => expect(requests.at(-1)).toMatchObject({ statuses: ['closed', 'accepted'], page: 1 }));
});

test('names filters without matches and clears them', async () => {
  const { search } = open('/repository/github/acme/api?search=camt&authors=ada', []);
  expect(await screen.findByText('No Pull Requests detected')).toBeTruthy();
  expect(screen.getByText('Author: ada')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(search()).toEqual({}));
});

test('reports an empty list and what the other view holds', async () => {
  open('/repository/github/acme/api', []);
  expect(await screen.findByText('No Pull Requests detected')).toBeTruthy();
  expect(screen.getByText(/^None is open now/)).toBeTruthy();
  await userEvent.click(screen.getByText('Closed PRs'));
  expect(await screen.findByText(/^None has been merged or closed/)).toBeTruthy();
  expect(screen.getByText('No Pull Requests detected')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull();
});

test('has an address for contributors', async () => {
  const contributor: Contributor = {
    id: '1',
    user_id: null,
    name: 'Ada Lovelace',
    email: 'ada@acme.example',
    picture: null,
    githubName: null,
    aliases: [],
    merged: [],
    commits: 12,
    lastCommit: '2026-11-20T10:00:00Z',
    browser_status: 'disconnected',
    browser_timestamp: null,
    browser_type: null,
    ide_status: 'disconnected',
    ide_timestamp: null,
    ide_type: null,
  };
  fakeApi.answer(listContributors, () => ({ rows: [contributor], total: 1 }));
  open('/repository/github/acme/api');
  await userEvent.click(await screen.findByRole('link', { name: /^Contributors/ }));
  expect(await screen.findByText('Ada Lovelace')).toBeTruthy();
  // Without a login, a person is identified by email address.
  expect((await screen.findByRole('link', { name: 'Explore events of Ada Lovelace' })).getAttribute('href')).toBe(
    '/explore?query=actor:ada%40acme.example',
  );
});

test('explains read-only settings to other roles than owners', async () => {
  open('/repository/github/acme/api/-/settings');
  const button = await screen.findByRole('button', { name: 'Disable repository' });
  expect(button.hasAttribute('disabled')).toBe(true);
  expect(screen.getByText('Only the account owner can make this action')).toBeTruthy();
});

test.each(['/repository/github/acme/gone', '/repository/svn/acme/api', '/repository/github/acme'])(
  'reports %s as not found and links back',
  async (address) => {
    open(address);
    fakeApi.refuse(getRepository, 404, 'not_found', 'Repository not found.');
    expect(await screen.findByRole('heading', { name: 'Repository not found' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Go to Repositories' }).getAttribute('href')).toBe('/repositories');
  },
);

test('marks a truncated history with its first day', async () => {
  open('/repository/github/acme/api');
  fakeApi.answer(getRepository, () => repository({ truncatedAt: '2026-03-04T10:00:00Z' }));
  const notice = await screen.findByText('History truncated.');
  expect(notice.closest('[role=status]')?.textContent).toContain('no commits before 4 Mar 2026');
});

test.each([false, true])('shows the vulnerabilities tab only with its flag: %s', async (on) => {
  act(() => clearSession());
  fakeApi.answer(listFeatureFlags, () => togglesOf(...(on ? ['vulnerabilities'] : [])));
  open('/repository/github/acme/api');
  await screen.findByRole('link', { name: 'Pull Requests 5' });
  await waitForFlags();
  if (on) await screen.findByRole('link', { name: /^Vulnerabilities/ });
  else expect(screen.queryByRole('link', { name: /^Vulnerabilities/ })).toBeNull();
});

test('redirects an address by id to the address by path', async () => {
  fakeApi.answer(getRepositoryById, () => repository());
  const { address } = visitPage('/repository/$repositoryId', RepositoryByIdPage, `/repository/${repository().id}`);
  await waitFor(() => expect(address()).toBe('/repository/github/acme/api'));
});

test('shows code host, full name and privacy in the head, and links back', {
  tags: 'full',
}, async () => {
  open('/repository/github/acme/api');
  expect(await screen.findByText('Private')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'acme/api' })).toBeTruthy();
  expect(screen.getByTitle('GitHub')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Repositories' }).getAttribute('href')).toBe('/repositories');
});

test('counts pull requests on the tab and shows author and age in a row', async () => {
  const avatarUrl = 'https://github.example/ada.png';
  const createdAt = new Date(Date.now() - 62 * 86_400_000).toISOString();
  open('/repository/github/acme/api', [{ ...pullRequest, createdAt, author: { ...pullRequest.author, avatarUrl } }]);
  const row = (await screen.findByRole('link', { name: /Keep request ids/ })).closest('tr');
  await waitFor(() => expect(row?.querySelector('img')?.getAttribute('src')).toBe(avatarUrl));
  expect(row?.textContent).toContain('#42');
  expect(row?.querySelector('time')?.textContent).toBe('2 months ago');
  expect(screen.getByRole('link', { name: 'Pull Requests 5' })).toBeTruthy();
});

test('shows when both extensions of a contributor were last seen, and the last commit as a relative time', async () => {
  const before = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const contributor: Contributor = {
    id: '1',
    user_id: null,
    name: 'Ada Lovelace',
    email: 'ada@acme.example',
    picture: null,
    githubName: 'ada',
    aliases: [],
    merged: [],
    commits: 12,
    lastCommit: before(4),
    browser_status: 'connected',
    browser_timestamp: before(2),
    browser_type: 'firefox',
    ide_status: 'disconnected',
    ide_timestamp: before(3),
    ide_type: 'vscode',
  };
  fakeApi.answer(listContributors, () => ({ rows: [contributor], total: 1 }));
  open('/repository/github/acme/api/-/contributors');
  const row = (await screen.findByText('Ada Lovelace')).closest('tr') as HTMLElement;
  const words = row.textContent ?? '';
  expect(words).toMatch(/Browser connected, Firefox, last seen\s*2 days ago/);
  expect(words).toMatch(/Editor disconnected, VS Code, last seen\s*3 days ago/);
  expect(words).toContain('4 days ago');
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['Name', 'Connectivity', 'Git username', 'Last commit']),
  );
});
