import { getAccount } from '@sightline/contract/identity/accounts.ts';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { accessToken } from '#lib/session.ts';
import { getStored, setStored } from '#lib/storage.ts';
import { fakeApi } from '#testing/fake-api.ts';
import { account } from '#testing/people.fixture.ts';
import { signIn, visitApp } from '#testing/visit.tsx';

let token: string;

beforeEach(() => {
  signIn('rol_owner');
  token = getStored('accessToken') ?? '';
  localStorage.clear();
  document.head.insertAdjacentHTML('beforeend', '<meta name="sightline-environment" content="development">');
});
afterEach(() => document.head.querySelector('meta[name=sightline-environment]')?.remove());

test('starts a user-testing session with a valid token, redirects to Home and removes the token from the address', async () => {
  let requestCount = 0;
  fakeApi.answer(getAccount, () => {
    // The token is not stored before the server has accepted it.
    expect(getStored('accessToken')).toBeUndefined();
    requestCount += 1;
    return account();
  });
  setStored('onboardingStarted', 'true');
  const { address } = visitApp(`/testing?accessToken=${token}`);
  await waitFor(() => expect(address()).toBe('/'));
  expect([getStored('accessToken'), getStored('userTesting'), getStored('organization')]).toEqual([
    token,
    'true',
    'organization',
  ]);
  // The data of an earlier user is removed, and no token is renewed.
  expect(getStored('onboardingStarted')).toBeUndefined();
  expect(await accessToken()).toBe(token);
  expect(requestCount).toBe(1);
});

test('discards an invalid token and removes it from the address', async () => {
  fakeApi.refuse(getAccount, 401, 'unauthenticated', 'Sign in again.');
  signIn('rol_reviewer');
  const own = getStored('accessToken');
  const { address } = visitApp('/testing?accessToken=invented');
  await screen.findByText(/It expired, or this server did not create it/);
  await waitFor(() => expect(address()).toBe('/testing'));
  expect(getStored('accessToken')).toBe(own);
  expect(getStored('userTesting')).toBeUndefined();
});

test('explains how to pass a token', async () => {
  visitApp('/testing');
  await screen.findByRole('heading', { name: 'Use a token' });
});
