import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAuthorizationRequest, redirectAddressOf, tokenLinkOf } from './authorization-request.ts';

const rules = { schemes: ['vscode'], origins: ['https://code.example.com'], localOrigins: false, withToken: true };
const challenge = 'c'.repeat(43);
const complete = { state: 'a-random-state', code_challenge: challenge };
const callback =
  'https://code.example.com/stable-1/callback?vscode-reqid=1&vscode-scheme=code-oss&vscode-path=/authorize';

describe('validates the request of an editor', () => {
  test('issues a code under its own scheme for a challenge', () => {
    const request = parseAuthorizationRequest('vscode', { ...complete, device: ' desk ' }, rules);
    expect(request).toEqual({
      kind: 'code',
      side: 'ide',
      type: 'vscode',
      device: 'desk',
      codeChallenge: challenge,
      to: { kind: 'scheme', scheme: 'vscode', state: 'a-random-state' },
    });
  });

  test('allows a manual token without a challenge if the operator enables it', () => {
    expect(parseAuthorizationRequest('vscode', {}, rules)).toEqual({ kind: 'token', scheme: 'vscode' });
    const without = { ...rules, withToken: false };
    expect(parseAuthorizationRequest('vscode', {}, without)).toEqual({ kind: 'refused', reason: 'token' });
  });

  test.each([
    ['a state alone', { state: 'a-random-state' }],
    ['a challenge alone', { code_challenge: challenge }],
    ['a malformed challenge', { state: 'a-random-state', code_challenge: 'short' }],
    ['a state too short to be random', { state: 'x', code_challenge: challenge }],
    ['an invalid program name', { ...complete, type: 'VS Code!' }],
  ])('issues neither code nor token for %s', (_, search) => {
    expect(parseAuthorizationRequest('vscode', search, rules)).toEqual({ kind: 'refused', reason: 'incomplete' });
  });
});

test('requires a challenge from a browser, which names itself', () => {
  expect(parseAuthorizationRequest('browser', { ...complete, type: 'firefox' }, rules)).toMatchObject({
    side: 'browser',
    type: 'firefox',
    to: { kind: 'tab' },
  });
  for (const search of [{}, complete])
    expect(parseAuthorizationRequest('browser', search, rules)).toEqual({ kind: 'refused', reason: 'incomplete' });
});

describe('validates an editor in a browser', () => {
  const at = (given: string, over = {}) =>
    parseAuthorizationRequest('vscode', { ...complete, callback: given }, { ...rules, ...over });

  test('responds to an origin that the operator allows', () => {
    expect(at(callback)).toMatchObject({ to: { kind: 'callback', callback } });
    const local = 'http://localhost:8443/callback';
    expect(at(local)).toEqual({ kind: 'refused', reason: 'callback' });
    expect(at(local, { localOrigins: true })).toMatchObject({ to: { kind: 'callback' } });
  });

  test.each([
    'https://evil.example/callback',
    'https://code.example.com.evil.example/',
    'https://code.example.com:8443/',
    'http://code.example.com/',
    'https://code.example.com@evil.example/',
    'https://user:password@code.example.com/',
    'https://code.example.com/#fragment',
    'http://localhost.evil.example/',
    'javascript:alert(1)//https://code.example.com',
    'data:text/html,hello',
    '//code.example.com/',
    'vscode://sightline.sightline/',
    '',
  ])('refuses to respond at %s', (given) => {
    expect(at(given, { localOrigins: true })).toEqual({ kind: 'refused', reason: 'callback' });
  });

  test('responds to no other origin', { tags: 'full' }, () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string()), (given) => {
        const request = at(given);
        if (request.kind === 'code' && request.to.kind === 'callback') {
          expect(new URL(redirectAddressOf(request.to, 'code')).origin).toBe('https://code.example.com');
        }
      }),
    );
  });
});

test('returns code and state unchanged', () => {
  const state = 'a+b&c=d e';
  const scheme = new URL(redirectAddressOf({ kind: 'scheme', scheme: 'vscode', state }, 'slc_x'));
  expect([scheme.protocol, scheme.host, scheme.pathname]).toEqual(['vscode:', 'sightline.sightline', '/authorize']);
  expect(Object.fromEntries(scheme.searchParams)).toEqual({ code: 'slc_x', state });
  const url = new URL(redirectAddressOf({ kind: 'callback', callback, state }, 'slc_x'));
  expect(url.searchParams.get('vscode-scheme')).toBe('code-oss');
  const callbackParams = new URLSearchParams(url.searchParams.get('vscode-query') ?? '');
  expect(Object.fromEntries(callbackParams)).toEqual({ code: 'slc_x', state });
  expect(redirectAddressOf({ kind: 'tab', state: 'plain-state' }, 'slc_x')).toBe(
    '/authorize/browser/done?code=slc_x&state=plain-state',
  );
  expect(tokenLinkOf('vscode', 'a.b.c')).toBe('vscode://sightline.sightline/authorize?token=a.b.c');
});
