import { getAccount } from '@sightline/contract/identity/accounts.ts';
import { startLink } from '@sightline/contract/identity/identities.ts';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { startLinking } from '#lib/linking.ts';
import { consumePath, storePath } from '#lib/site-path.ts';
import { getStored, setStored } from '#lib/storage.ts';
import { fakeApi } from '#testing/fake-api.ts';
import { account } from '#testing/people.fixture.ts';
import { signIn, visitApp } from '#testing/visit.tsx';

const open = (address = '/link') => visitApp(address).address;

beforeEach(() => {
  signIn('rol_contributor');
  fakeApi.answer(getAccount, () => account({ traits: { github: { login: 'ada', name: null } } }));
});

test('stores the return address when linking starts', async () => {
  fakeApi.refuse(startLink, 403, 'reauthentication_required', 'Sign in again.');
  await expect(startLinking('github', '/account')).rejects.toThrow();
  expect(getStored('returnUrl')).toBeUndefined();
  fakeApi.answer(startLink, () => ({ url: 'https://github.example/login' }));
  await startLinking('github', '/account');
  expect(getStored('returnUrl')).toBe('/account');
});

test('redirects to the stored return URL once', async () => {
  storePath('returnUrl', '/account');
  const address = open();
  await waitFor(() => expect(address()).toBe('/account'));
  expect(getStored('returnUrl')).toBeUndefined();
});

test('prefers a path in the address and discards the stored one', async () => {
  storePath('returnUrl', '/account');
  const address = open('/link?path=%2Fonboarding%2Fsetup%2F1');
  await waitFor(() => expect(address()).toBe('/onboarding/setup/1'));
  expect(consumePath('returnUrl')).toBeUndefined();
});

test('continues a started setup otherwise', async () => {
  setStored('onboardingStarted', 'true');
  const address = open();
  await waitFor(() => expect(address()).toBe('/onboarding'));
});

test('opens the profile otherwise, or the settings without a login at a code host', async () => {
  const address = open();
  await waitFor(() => expect(address()).toBe('/@ada'));
  fakeApi.answer(getAccount, () => account({ traits: { github: null } }));
  const other = open();
  await waitFor(() => expect(other()).toBe('/account'));
});

test('shows what failed and links to no other site', async () => {
  open('/link?error=refused&path=https%3A%2F%2Fevil.example');
  await screen.findByRole('heading', { name: 'Failed to link identities' });
  const back = screen.getByRole('link', { name: 'Go back' });
  await waitFor(() => expect(back.getAttribute('href')).toBe('/@ada'));
});
