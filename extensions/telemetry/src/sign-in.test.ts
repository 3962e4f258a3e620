import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { authorizeUrl, pkce, redeemCode } from './sign-in.ts';

test('creates secrets for each sign-in, with the hash of the verifier as challenge', async () => {
  const [one, other] = [await pkce(), await pkce()];
  expect(one.codeVerifier).toMatch(/^[\w-]{43}$/);
  expect(one.codeChallenge).toBe(createHash('sha256').update(one.codeVerifier).digest('base64url'));
  expect(new Set([...Object.values(one), ...Object.values(other)]).size).toBe(6);
});

test('sends the challenge to the page and never the verifier', async () => {
  const challenge = await pkce();
  const url = authorizeUrl({
    server: 'https://sightline.example',
    scheme: 'code-oss',
    challenge,
    type: 'code-server',
    device: 'Ada & laptop',
    callback: 'http://localhost:8443/callback?vscode-reqid=1&vscode-scheme=code-oss',
  });
  expect(url).not.toContain(challenge.codeVerifier);
  const { pathname, searchParams } = new URL(url);
  expect(pathname).toBe('/authorize/code-oss');
  expect(Object.fromEntries(searchParams)).toEqual({
    state: challenge.state,
    code_challenge: challenge.codeChallenge,
    type: 'code-server',
    device: 'Ada & laptop',
    callback: 'http://localhost:8443/callback?vscode-reqid=1&vscode-scheme=code-oss',
  });
});

test.each([
  [{ status: 401, body: null, message: 'no' }, /expired or was already used/],
  [{ status: 0, body: null, message: 'The server could not be reached.' }, /could not be reached/],
  [{ status: 200, body: { hello: 1 }, message: '' }, /not from a Sightline server/],
])('explains what to do if a code cannot be redeemed', async (reply, problem) => {
  const callApi = async () => ({ retryAfterMs: null, ...reply });
  expect(await redeemCode(callApi, { code: 'c', codeVerifier: 'v', version: '1.0.0' })).toEqual({
    problem: expect.stringMatching(problem),
  });
});
