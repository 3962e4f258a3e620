import { listOwnPullRequests, type OwnPullRequest } from '@sightline/contract/sources/pull-requests.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { OwnPullRequests, reviewStatusOf } from './OwnPullRequests.tsx';

const review = (state: OwnPullRequest['reviewers'][number]['state'], afterLastPush = true) => ({
  login: 'grace',
  name: 'Grace Hopper',
  picture: null,
  state,
  at: '2026-11-20T08:00:00Z',
  afterLastPush,
});

test.each([
  [[], false, 'Waiting for review'],
  [[], true, 'Draft'],
  [[review('commented')], false, 'Waiting for review'],
  [[review('approved')], false, 'Approved'],
  [[review('approved', false)], false, 'Waiting for review'],
  [[review('approved'), review('changes_requested')], false, 'Changes requested'],
])('reviews %j with draft %s: %s', (reviewers, draft, text) => {
  expect(reviewStatusOf({ reviewers, draft })[1]).toBe(text);
});

const pullRequest: OwnPullRequest = {
  id: '7',
  number: 7,
  title: 'Limit retries & wait',
  status: 'in-progress',
  draft: false,
  createdAt: '2026-11-20T08:00:00Z',
  updatedAt: '2026-11-20T08:00:00Z',
  mergedAt: null,
  closedAt: null,
  author: { authorLogin: 'ada', name: 'Ada Lovelace', avatarUrl: null, isAgent: false, member: null },
  url: 'https://github.com/acme/api/pull/7',
  baseRef: 'main',
  headRef: 'retries',
  headSha: 'f'.repeat(40),
  additions: 1,
  deletions: 0,
  reviewers: [],
  checks: null,
  aiShare: null,
  exploreContext: { contextId: '' },
  repository: { id: '0198c0de-0000-7000-8000-000000000001', provider: 'github', fullName: 'acme/api' },
};

test('links each open pull request to its row in the repository', async () => {
  signIn('rol_contributor');
  fakeApi.answer(listOwnPullRequests, ({ query }) =>
    String(query?.statuses) === 'in-progress' ? { rows: [pullRequest], total: 1 } : { rows: [], total: 0 },
  );
  visitPage('/', OwnPullRequests, '/');
  const link = await screen.findByRole('link', { name: /Limit retries/ });
  expect(link.getAttribute('href')).toBe('/repository/github/acme/api?search=Limit%20retries%20%26%20wait');
  expect(link.textContent).toContain('acme/api #7');
  expect(link.textContent).toContain('Waiting for review');
});

test('renders nothing without an open pull request', async () => {
  signIn('rol_contributor');
  let requests = 0;
  fakeApi.answer(listOwnPullRequests, () => {
    requests += 1;
    return { rows: [], total: 0 };
  });
  visitPage('/', OwnPullRequests, '/');
  await waitFor(() => expect(requests).toBe(1));
  expect(screen.queryByText('Your open pull requests')).toBeNull();
});
