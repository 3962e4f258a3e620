import { expect, test, vi } from 'vitest';
import { signIn, signInDestination, signOut } from './sign-in.ts';
import { storePath } from './site-path.ts';
import { getStored } from './storage.ts';

const { redirectToSignIn, redirectToSignOut } = vi.hoisted(() => ({
  redirectToSignIn: vi.fn(() => Promise.resolve()),
  redirectToSignOut: vi.fn((clear: () => void) => {
    clear();
    return Promise.resolve();
  }),
}));
vi.mock('./oidc.ts', () => ({ redirectToSignIn, redirectToSignOut }));

test('completes no sign-in on a page that signs out', async () => {
  await signIn({});
  expect(redirectToSignIn).toHaveBeenCalledTimes(1);
  await signOut();
  expect(redirectToSignOut).toHaveBeenCalledTimes(1);
  await signIn({});
  expect(redirectToSignIn).toHaveBeenCalledTimes(1);
});

test('keeps the return address of a repeated sign-in, also if it fails', async () => {
  vi.resetModules();
  const lib = await import('./sign-in.ts');
  await lib.signIn({ path: '/account' });
  expect(getStored('returnUrl')).toBeUndefined();
  await lib.signIn({ path: '/account', freshly: true });
  expect(getStored('returnUrl')).toBe('/account');
  expect(lib.signInDestination(undefined)).toBe('/account');
  expect(lib.signInDestination(undefined)).toBe('/');
});

test('redirects after a sign-in to its start path, the return URL, the initial URL or Home, in that order', () => {
  const begin = () => {
    storePath('returnUrl', '/account');
    storePath('initialUrl', '/explore');
  };
  begin();
  expect(signInDestination('/tools')).toBe('/tools');
  // A path also consumes the stored ones, which belong to an earlier sign-in.
  expect(signInDestination(undefined)).toBe('/');
  begin();
  expect(signInDestination(undefined)).toBe('/account');
  storePath('initialUrl', '/explore');
  expect(signInDestination(undefined)).toBe('/explore');
});
