// @vitest-environment happy-dom
import { getAccount, updateAccountDescription } from '@sightline/contract/identity/accounts.ts';
import { listFeatureFlags } from '@sightline/contract/identity/feature-flags.ts';
import { findHandle } from '@sightline/contract/organization/members.ts';
import { type ExploreResponse, queryEvents } from '@sightline/contract/timeline/events.ts';
import { getExtensionStatus } from '@sightline/contract/tools/presence.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { togglesOf } from '#testing/flags.fixture.ts';
import { account, extensions } from '#testing/people.fixture.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { ProfilePage } from './ProfilePage.tsx';

const github = { login: 'AdaB', name: 'Ada' };
const page = (events: ExploreResponse['events']): ExploreResponse => ({
  request: { context: null, query: '', direction: 'older' },
  events,
  people: {},
  cursors: { older: null, newer: null },
  reachedStart: true,
  reachedEnd: true,
  dataUpdatedAt: '2026-11-20T10:00:00Z',
  kept: { months: 13, clipboardDays: 30 },
  archived: null,
});
const open = (handle: string) => visitPage('/$handle', ProfilePage, `/${handle}`);

beforeEach(() => {
  signIn('rol_contributor');
  fakeApi.answer(getAccount, () => account({ traits: { github } }));
  fakeApi.answer(getExtensionStatus, () => extensions());
  fakeApi.answer(queryEvents, () => page([]));
  fakeApi.answer(listFeatureFlags, () => togglesOf('release2'));
});

test('shows a person under their login regardless of case, with their activity', async () => {
  let requestedQuery: unknown;
  fakeApi.answer(queryEvents, ({ body }) => {
    requestedQuery = body.query;
    const grace = { id: '018f2a52-0000-7000-8000-000000000002', name: 'Grace Hopper', picture: null };
    const answer = page([
      {
        uuid: '018f2a52-0000-7000-8000-000000000001',
        kind: 'commit',
        type: 'commit',
        as_of: '2026-11-20T10:00:00Z',
        receivedAt: '2026-11-20T10:00:01Z',
        source: 'github',
        summary: {
          phrase: '{0} committed with {1}',
          parameters: [
            { kind: 'user', ident: 'adab', display: 'Ada' },
            { kind: 'user', ident: 'grace-h', display: 'grace-h' },
          ],
        },
      },
    ]);
    return { ...answer, people: { 'grace-h': grace } };
  });
  open('adab');
  await screen.findByRole('heading', { name: 'Ada', level: 1 });
  await screen.findByText('committed', { exact: false });
  await screen.findByText('Grace Hopper');
  expect(requestedQuery).toBe('actor:AdaB');
  expect(screen.getByRole('link', { name: 'All in Explore' }).getAttribute('href')).toBe('/explore?query=actor:AdaB');
});

test.each([
  ['another handle', 'grace', github],
  ['no identity', 'adab', null],
])('redirects %s to Home', async (_case, handle, identity) => {
  fakeApi.answer(getAccount, () => account({ traits: { github: identity } }));
  fakeApi.answer(findHandle, ({ params }) => params);
  const { address } = open(handle);
  await waitFor(() => expect(address()).toBe('/'));
});

test('shows 404 for an unknown login', async () => {
  fakeApi.refuse(findHandle, 404, 'not_found', 'Login not found.');
  const { address } = open('nope');
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Profile' })).toBeNull());
  expect(address()).toBe('/nope');
});

test('edits the own description in place and keeps it if saving fails', async () => {
  fakeApi.refuse(updateAccountDescription, 503, 'unavailable', 'The database is away.');
  open('AdaB');
  await userEvent.click(await screen.findByRole('button', { name: 'Add' }));
  const save = screen.getByRole('button', { name: 'Save' });
  expect(save).toHaveProperty('disabled', true);
  await userEvent.type(screen.getByLabelText('About you'), 'Payments');
  await userEvent.click(save);
  await screen.findByText('The database is away.');
  expect(screen.getByLabelText('About you')).toHaveProperty('value', 'Payments');
  let sent: unknown;
  fakeApi.answer(updateAccountDescription, ({ body }) => {
    sent = body;
    const { description } = account().traits;
    const changed = account({ traits: { github, description: { ...description, bio: 'Payments' } } });
    fakeApi.answer(getAccount, () => changed);
    return changed;
  });
  await userEvent.click(save);
  await screen.findByText('Payments');
  expect(sent).toEqual({ bio: 'Payments', company: '', location: '' });
});
