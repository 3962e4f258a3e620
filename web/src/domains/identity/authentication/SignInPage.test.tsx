// @vitest-environment happy-dom
import { registerAccount } from '@sightline/contract/identity/accounts.ts';
import { listOrganizations } from '@sightline/contract/organization/organizations.ts';
import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storePath } from '#lib/site-path.ts';
import { getStored } from '#lib/storage.ts';
import { fakeApi } from '#testing/fake-api.ts';
import { account, organization } from '#testing/people.fixture.ts';
import { signIn, visitApp } from '#testing/visitPage.tsx';

const { origin } = window.location;
const api = window.fetch;
const left: string[] = [];
let token = '';

// Mocks the discovery document and the token endpoint of an identity provider.
const provider = (url: string): Response => {
  if (url.endsWith('/.well-known/openid-configuration')) {
    return Response.json({
      issuer: `${origin}/oidc`,
      authorization_endpoint: `${origin}/oidc/auth`,
      token_endpoint: `${origin}/oidc/token`,
    });
  }
  const claims = { iss: `${origin}/oidc`, aud: 'sightline-web', sub: 'account', exp: 4_102_444_800, iat: 1 };
  const idToken = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims))}.x`;
  return Response.json({ access_token: token, id_token: idToken, token_type: 'Bearer', scope: 'openid profile email' });
};

beforeEach(() => {
  signIn('rol_owner');
  token = getStored('accessToken') ?? '';
  localStorage.clear();
  sessionStorage.clear();
  left.length = 0;
  vi.spyOn(window.location, 'assign').mockImplementation((url) => void left.push(String(url)));
  vi.stubGlobal('fetch', async (url: string | URL, request?: RequestInit) =>
    String(url).includes('/oidc/') ? provider(String(url)) : api(url, request),
  );
});
afterEach(() => {
  window.history.replaceState(null, '', '/');
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Opens a page. Returns the parameters of the authorization request and the stored sign-in state. */
async function openSignIn(address: string) {
  visitApp(address);
  await waitFor(() => expect(left).toHaveLength(1));
  const { pathname, searchParams } = new URL(left[0] ?? '');
  expect(pathname).toBe('/oidc/auth');
  const authorization = Object.fromEntries(searchParams);
  const savedState = JSON.parse(localStorage.getItem(`oidc.${authorization.state}`) ?? '{}').data;
  return { authorization, savedState };
}

test('passes invitation, organization and path of /login', async () => {
  const { authorization, savedState } = await openSignIn('/login?invitation=inv&organization=org&path=%2Fexplore');
  expect(authorization).toMatchObject({ invitation: 'inv', organization: 'org', redirect_uri: `${origin}/auth` });
  expect(authorization).not.toHaveProperty('screen_hint');
  expect(savedState).toEqual({ path: '/explore', organization: 'org', invitation: 'inv' });
});

test('passes the identity provider of a sign-in link', async () => {
  const { authorization } = await openSignIn('/login?organization=org&connection=saml-org');
  expect(authorization).toMatchObject({ organization: 'org', connection: 'saml-org' });
});

test('accepts redirect for path at /login, and neither for another site', async () => {
  const { savedState } = await openSignIn('/login?redirect=%2Ftools');
  expect(savedState.path).toBe('/tools');
  left.length = 0;
  const other = await openSignIn('/login?redirect=https%3A%2F%2Fevil.example&path=%2F%2Fevil.example');
  expect(other.savedState.path).toBeUndefined();
});

test('passes path of /signup with a sign-up hint', async () => {
  const { authorization, savedState } = await openSignIn('/signup?path=%2Fonboarding');
  expect(authorization.screen_hint).toBe('signup');
  expect(savedState.path).toBe('/onboarding');
});

test('requests the specified hint and scope for an invitation and returns to /auth', async () => {
  const { authorization } = await openSignIn('/invitation?invitation=inv&organization=org');
  expect(authorization).toMatchObject({ invitation: 'inv', organization: 'org', screen_hint: 'login' });
  expect(authorization.scope?.split(' ').sort()).toEqual(['email', 'openid', 'profile', 'read:current_user']);
  expect(authorization.redirect_uri).toBe(`${origin}/auth`);
});

/** Returns from a sign-in that started at an address. Returns the address after /auth. */
async function completeSignIn(startAddress: string, more = '') {
  const { authorization } = await openSignIn(startAddress);
  fakeApi.answer(registerAccount, () => account());
  fakeApi.answer(listOrganizations, () => [organization()]);
  const address = `/auth?code=code&state=${authorization.state}${more}`;
  window.history.replaceState(null, '', address);
  return visitApp(address).address;
}

test('stores the token at /auth and redirects to the requested path', async () => {
  const address = await completeSignIn('/login?path=%2Fexplore%3Fquery%3Dada', '&path=%2Ftools');
  await waitFor(() => expect(address()).toBe('/explore?query=ada'));
  expect([getStored('accessToken'), getStored('accountId'), getStored('organization')]).toEqual([
    token,
    'account',
    'organization',
  ]);
});

test('accepts path and organization in the address of /auth, and signs in to another organization', async () => {
  const same = await completeSignIn('/login', '&path=%2Ftools%3Ftab%3Ddeveloper&organization=organization');
  await waitFor(() => expect(same()).toBe('/tools?tab=developer'));
  left.length = 0;
  await completeSignIn('/login', '&path=%2Ftools%3Ftab%3Ddeveloper&organization=other');
  await waitFor(() => expect(left).toHaveLength(2));
  expect(new URL(left[1] ?? '').searchParams.get('organization')).toBe('other');
});

test('redirects from /auth to the stored initial URL or Home', async () => {
  storePath('initialUrl', '/repositories');
  const address = await completeSignIn('/login');
  await waitFor(() => expect(address()).toBe('/repositories'));
  left.length = 0;
  const again = await completeSignIn('/login');
  await waitFor(() => expect(again()).toBe('/'));
});
