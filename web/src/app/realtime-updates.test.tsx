// @vitest-environment happy-dom
import { listFeatureFlags } from '@sightline/contract/identity/feature-flags.ts';
import { listMembers } from '@sightline/contract/organization/members.ts';
import { listOrganizations } from '@sightline/contract/organization/organizations.ts';
import { listRepositories } from '@sightline/contract/sources/repositories.ts';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endpointQuery } from '#lib/api.ts';
import { useFlag } from '#lib/flags.ts';
import { useConnection } from '#lib/realtime.ts';
import { clearSession } from '#lib/session.ts';
import { fakeApi } from '#testing/fake-api.ts';
import { organization } from '#testing/people.fixture.ts';
import { startRealtimeServer, waitUntil } from '#testing/realtime-server.ts';
import { signIn } from '#testing/visitPage.tsx';
import { useRealtimeUpdates } from './realtime-updates.ts';

const server = startRealtimeServer();
const requests = { repositories: 0, members: 0, organizations: 0, flags: 0 };
let state = '';

const query = { page: 1, perPage: 10, search: '', sort: 'date-desc' } as const;

function Page() {
  useRealtimeUpdates();
  state = useConnection();
  useFlag('release2');
  useQuery(endpointQuery(listRepositories, { query }));
  useQuery(endpointQuery(listMembers, { query: { ...query, role: [], status: [] } }));
  useQuery(endpointQuery(listOrganizations, { query: { include_invitations: 'true' } }));
  return null;
}

beforeEach(() => {
  signIn('rol_owner');
  Object.assign(requests, { repositories: 0, members: 0, organizations: 0, flags: 0 });
  fakeApi.answer(listRepositories, () => count('repositories', { rows: [], total: 0 }));
  fakeApi.answer(listMembers, () => count('members', { rows: [], total: 0 }));
  fakeApi.answer(listOrganizations, () => count('organizations', [organization()]));
  fakeApi.answer(listFeatureFlags, () => count('flags', { toggles: [] }));
});
// The flags are requested once per session.
afterEach(() => act(() => clearSession()));

function count<T>(name: keyof typeof requests, answer: T): T {
  requests[name] += 1;
  return answer;
}

/** Opens a page whose initial queries are answered and whose sockets are connected. */
async function open(): Promise<void> {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { staleTime: 10_000 } } })}>
      <Page />
    </QueryClientProvider>,
  );
  await waitUntil(
    () => state === 'connected' && requests.repositories + requests.members + requests.organizations === 3,
  );
  await waitUntil(() => requests.flags === 1);
}

test('refetches repositories on an open page after one was enabled, and nothing else', async () => {
  await open();
  server.notify('/auth0mgm', 'orgRepos', { repositoryId: 'repository' });
  await waitUntil(() => requests.repositories === 2);
  expect(requests).toEqual({ repositories: 2, members: 1, organizations: 1, flags: 1 });
});

test('refetches members on an open page after a change', async () => {
  await open();
  server.notify('/auth0mgm', 'orgMembers', {});
  await waitUntil(() => requests.members === 2 && requests.organizations === 2);
  expect(requests.repositories).toBe(1);
});

test('combines successive events into one request', async () => {
  await open();
  for (let index = 0; index < 20; index += 1) server.notify('/auth0mgm', 'orgRepos', {});
  server.notify('/auth0mgm', 'orgMembers', {});
  await waitUntil(() => requests.members === 2);
  expect(requests.repositories).toBe(2);
});

test('refetches everything after a lost connection, including feature flags', async () => {
  await open();
  server.breakLines();
  await waitUntil(() => state === 'disconnected');
  expect(requests).toEqual({ repositories: 1, members: 1, organizations: 1, flags: 1 });
  await waitUntil(() => Object.values(requests).every((times) => times === 2));
});

test('reloads organizations after access was removed', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await open();
  server.door.closed = '/auth0mgm';
  server.sayGoodbye('/auth0mgm');
  await waitUntil(() => requests.organizations >= 2);
  expect(requests.repositories).toBe(1);
});
