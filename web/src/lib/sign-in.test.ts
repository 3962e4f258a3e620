import { expect, test, vi } from 'vitest';
import { signIn, signOut } from './sign-in.ts';

const { redirectToSignIn, redirectToSignOut } = vi.hoisted(() => ({
  redirectToSignIn: vi.fn(() => Promise.resolve()),
  redirectToSignOut: vi.fn((clear: () => void) => {
    clear();
    return Promise.resolve();
  }),
}));
vi.mock('./oidc.ts', () => ({ redirectToSignIn, redirectToSignOut }));

test('a page that signs out signs nobody in before it is gone', async () => {
  await signIn({});
  expect(redirectToSignIn).toHaveBeenCalledTimes(1);
  await signOut();
  expect(redirectToSignOut).toHaveBeenCalledTimes(1);
  await signIn({});
  expect(redirectToSignIn).toHaveBeenCalledTimes(1);
});
