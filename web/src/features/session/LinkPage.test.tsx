import { getAccount } from '@sightline/contract/accounts.ts';
import { startLink } from '@sightline/contract/identities.ts';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { beginLink } from '#lib/linking.ts';
import { storePath, takePath } from '#lib/site-path.ts';
import { store, stored } from '#lib/storage.ts';
import { fakeApi } from '#testing/fake-api.ts';
import { account } from '#testing/people.fixture.ts';
import { signIn, visit } from '#testing/visit.tsx';
import { LinkPage } from './LinkPage.tsx';

const open = (address = '/link') => visit('/link', LinkPage, address).address;

beforeEach(() => {
  signIn('rol_contributor');
  fakeApi.answer(getAccount, () => account({ traits: { github: { login: 'ada', name: null } } }));
});

test('beginning to connect a login keeps where to go on, once the server lets it begin', async () => {
  fakeApi.refuse(startLink, 403, 'reauthentication_required', 'Sign in again.');
  await expect(beginLink('github', '/account')).rejects.toThrow();
  expect(stored('returnUrl')).toBeUndefined();
  fakeApi.answer(startLink, () => ({ url: 'https://github.example/login' }));
  await beginLink('github', '/account');
  expect(stored('returnUrl')).toBe('/account');
});

test('redirects to the stored return URL once', async () => {
  storePath('returnUrl', '/account');
  const address = open();
  await waitFor(() => expect(address()).toBe('/account'));
  expect(stored('returnUrl')).toBeUndefined();
});

test('a path in the address wins, and uses the stored one up', async () => {
  storePath('returnUrl', '/account');
  const address = open('/link?path=%2Fonboarding%2Fsetup%2F1');
  await waitFor(() => expect(address()).toBe('/onboarding/setup/1'));
  expect(takePath('returnUrl')).toBeUndefined();
});

test('without either, continues a setup that was started', async () => {
  store('onboardingStarted', 'true');
  const address = open();
  await waitFor(() => expect(address()).toBe('/onboarding'));
});

test('else opens the profile, or the settings without a login at a code host', async () => {
  const address = open();
  await waitFor(() => expect(address()).toBe('/@ada'));
  fakeApi.answer(getAccount, () => account({ traits: { github: null } }));
  const other = open();
  await waitFor(() => expect(other()).toBe('/account'));
});

test('says what failed, and leads to nothing of another site', async () => {
  open('/link?error=refused&path=https%3A%2F%2Fevil.example');
  await screen.findByRole('heading', { name: 'Failed to link identities' });
  const back = screen.getByRole('link', { name: 'Go back' });
  await waitFor(() => expect(back.getAttribute('href')).toBe('/@ada'));
});
