import { afterEach, expect, expectTypeOf, test } from 'vitest';
import { signIn } from '#testing/visit.tsx';
import { accessToken, clearSession, currentSession, hasPermission, isOwner, startSession } from './session.ts';
import { getStored, type StorageKey, setStored } from './storage.ts';

afterEach(() => localStorage.clear());

test('reads the session from the token', async () => {
  signIn('rol_owner');
  const session = currentSession();
  expect(session).toMatchObject({ accountId: 'account', organization: 'organization', roles: ['Account Owner'] });
  expect(isOwner(session)).toBe(true);
  expect(hasPermission(session, 'create:invitation')).toBe(true);
  expect(currentSession()).toBe(session);
  expect(await accessToken()).toBe(getStored('accessToken'));
});

test('reads another role from another token', () => {
  signIn('rol_contributor');
  expect(isOwner(currentSession())).toBe(false);
  expect(hasPermission(currentSession(), 'create:invitation')).toBe(false);
});

test.each(['', 'x', 'a.b.c', `e30.${btoa('{"sub":1}')}.x`])('rejects the token %j', (token) => {
  setStored('accessToken', token);
  expect(currentSession()).toBeUndefined();
  expect(() => startSession(token)).toThrow('invalid token');
});

test('keeps a token with account and organization and removes it with everything else', () => {
  signIn('rol_owner');
  const token = getStored('accessToken') ?? '';
  localStorage.clear();
  startSession(token);
  expect([getStored('accountId'), getStored('organization')]).toEqual(['account', 'organization']);
  setStored('initialUrl', '/explore');
  sessionStorage.setItem('what a page kept', 'something');
  clearSession();
  expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
  expect(currentSession()).toBeUndefined();
});

test('keeps nothing under other names than the seven of the specification, section 9', () => {
  expectTypeOf<StorageKey>().toEqualTypeOf<
    'accessToken' | 'accountId' | 'organization' | 'initialUrl' | 'returnUrl' | 'onboardingStarted' | 'userTesting'
  >();
  setStored('userTesting', 'true');
  expect(Object.keys(localStorage)).toEqual(['userTesting']);
});
