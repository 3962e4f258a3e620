// @vitest-environment happy-dom
import { registerAccount } from '@sightline/contract/identity/accounts.ts';
import { listOrganizations } from '@sightline/contract/organization/organizations.ts';
import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storePath } from '#lib/site-path.ts';
import { stored } from '#lib/storage.ts';
import { fakeApi } from '#testing/fake-api.ts';
import { account, organization } from '#testing/people.fixture.ts';
import { signIn, visitApp } from '#testing/visit.tsx';

const { origin } = window.location;
const api = window.fetch;
const left: string[] = [];
let token = '';

// What an identity provider answers a program that asks where to go, and for the token a code stands for.
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
  token = stored('accessToken') ?? '';
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

/** Opens a page; answers what the identity provider is asked, and what is kept to go on with. */
async function leave(address: string) {
  visitApp(address);
  await waitFor(() => expect(left).toHaveLength(1));
  const { pathname, searchParams } = new URL(left[0] ?? '');
  expect(pathname).toBe('/oidc/auth');
  const asked = Object.fromEntries(searchParams);
  const kept = JSON.parse(localStorage.getItem(`oidc.${asked.state}`) ?? '{}').data;
  return { asked, kept };
}

test('passes invitation, organization and path of /login', async () => {
  const { asked, kept } = await leave('/login?invitation=inv&organization=org&path=%2Fexplore');
  expect(asked).toMatchObject({ invitation: 'inv', organization: 'org', redirect_uri: `${origin}/auth` });
  expect(asked).not.toHaveProperty('screen_hint');
  expect(kept).toEqual({ path: '/explore', organization: 'org', invitation: 'inv' });
});

test('accepts redirect for path at /login, and neither for another site', async () => {
  const { kept } = await leave('/login?redirect=%2Ftools');
  expect(kept.path).toBe('/tools');
  left.length = 0;
  const other = await leave('/login?redirect=https%3A%2F%2Fevil.example&path=%2F%2Fevil.example');
  expect(other.kept.path).toBeUndefined();
});

test('passes path of /signup with a sign-up hint', async () => {
  const { asked, kept } = await leave('/signup?path=%2Fonboarding');
  expect(asked.screen_hint).toBe('signup');
  expect(kept.path).toBe('/onboarding');
});

test('requests the specified hint and scope for an invitation and returns to /auth', async () => {
  const { asked } = await leave('/invitation?invitation=inv&organization=org');
  expect(asked).toMatchObject({ invitation: 'inv', organization: 'org', screen_hint: 'login' });
  expect(asked.scope?.split(' ').sort()).toEqual(['email', 'openid', 'profile', 'read:current_user']);
  expect(asked.redirect_uri).toBe(`${origin}/auth`);
});

/** Comes back from a sign-in that was begun at an address; answers where /auth leads. */
async function comeBack(begun: string, more = '') {
  const { asked } = await leave(begun);
  fakeApi.answer(registerAccount, () => account());
  fakeApi.answer(listOrganizations, () => [organization()]);
  const address = `/auth?code=code&state=${asked.state}${more}`;
  window.history.replaceState(null, '', address);
  return visitApp(address).address;
}

test('stores the token at /auth and redirects to the requested path', async () => {
  const address = await comeBack('/login?path=%2Fexplore%3Fquery%3Dada', '&path=%2Ftools');
  await waitFor(() => expect(address()).toBe('/explore?query=ada'));
  expect([stored('accessToken'), stored('accountId'), stored('organization')]).toEqual([
    token,
    'account',
    'organization',
  ]);
});

test('accepts path and organization in the address of /auth, and signs in to another organization', async () => {
  const same = await comeBack('/login', '&path=%2Ftools%3Ftab%3Ddeveloper&organization=organization');
  await waitFor(() => expect(same()).toBe('/tools?tab=developer'));
  left.length = 0;
  await comeBack('/login', '&path=%2Ftools%3Ftab%3Ddeveloper&organization=other');
  await waitFor(() => expect(left).toHaveLength(2));
  expect(new URL(left[1] ?? '').searchParams.get('organization')).toBe('other');
});

test('redirects from /auth to the stored initial URL or Home', async () => {
  storePath('initialUrl', '/repositories');
  const address = await comeBack('/login');
  await waitFor(() => expect(address()).toBe('/repositories'));
  left.length = 0;
  const again = await comeBack('/login');
  await waitFor(() => expect(again()).toBe('/'));
});
