import { expect, test } from 'vitest';
import type { ApiReply, SendRequest } from './api.ts';
import { base64url } from './encoding.ts';
import { createSession, type StoredSession } from './session.ts';
import type { Redeemed } from './sign-in.ts';

const minute = 60_000;
const account = { id: 'account-1', name: 'Ada', email: 'ada@example.org' };
const organization = { id: 'org-1', displayName: 'Acme' };
const saved: StoredSession = { refreshToken: 'refresh-1', account, organization };

const jwt = (name: string, seconds = 600) => {
  const payload = new TextEncoder().encode(JSON.stringify({ iat: 1000, exp: 1000 + seconds, name }));
  return `head.${base64url(payload)}.signature`;
};
const replyOf = (status: number, body: unknown = null): ApiReply => ({
  status,
  body,
  retryAfterMs: null,
  message: `${status}`,
});

/** A machine whose windows share stored data, and a server that renews known tokens. */
function scene(before: StoredSession | null = saved) {
  const machine = { saved: before, now: Date.UTC(2026, 10, 1) };
  const server = { known: new Set(['refresh-1']), answer: undefined as ApiReply | undefined, renewals: 0, revoked: '' };
  const callApi: SendRequest = async (_method, path, { body } = {}) => {
    const { refreshToken } = body as { refreshToken: string };
    await Promise.resolve();
    if (path.endsWith('/revoke')) {
      server.revoked = refreshToken;
      return replyOf(204);
    }
    server.renewals += 1;
    if (server.answer) return server.answer;
    if (!server.known.has(refreshToken)) return replyOf(401);
    const expiresAt = '2000-01-01T00:00:00Z';
    return replyOf(200, { accessToken: jwt(`access-${server.renewals}`), expiresAt, account, organization });
  };
  const window = () =>
    createSession({
      callApi,
      load: async () => machine.saved,
      save: async (value) => {
        machine.saved = value;
      },
      version: '1.0.0',
      clock: () => machine.now,
    });
  return { machine, server, window };
}

test('shares one renewal among concurrent callers until a minute before expiry', async () => {
  const { machine, server, window } = scene();
  const one = window();
  const tokens = await Promise.all([one.accessToken(), one.accessToken(), one.accessToken()]);
  expect(server.renewals).toBe(1);
  expect(new Set(tokens.map((token) => (token.kind === 'token' ? token.token : token.kind)))).toEqual(
    new Set([jwt('access-1')]),
  );
  machine.now += 8 * minute;
  await one.accessToken();
  expect(server.renewals).toBe(1);
  machine.now += 2 * minute;
  await one.accessToken();
  expect(server.renewals).toBe(2);
});

test('renews concurrently in several windows with one refresh token', async () => {
  const { machine, server, window } = scene();
  const windows = [window(), window(), window()];
  const tokens = await Promise.all(windows.map((one) => one.accessToken()));
  expect(tokens.map(({ kind }) => kind)).toEqual(['token', 'token', 'token']);
  expect([server.renewals, machine.saved?.refreshToken]).toEqual([3, 'refresh-1']);
});

test.each([-10 * 60 * minute, 10 * 60 * minute])(
  'renews at most once more with a clock that is off by %i ms',
  async (ms) => {
    const { machine, server, window } = scene();
    const one = window();
    await one.accessToken();
    machine.now += ms;
    expect((await one.accessToken()).kind).toBe('token');
    await one.accessToken();
    expect(server.renewals).toBe(2);
  },
);

test('renews a token that the server rejects although it looks valid', async () => {
  const { server, window } = scene();
  const one = window();
  const first = await one.accessToken();
  const second = await one.accessToken(first.kind === 'token' ? first.token : '');
  expect(second).not.toEqual(first);
  expect(server.renewals).toBe(2);
});

test('keeps the session while the server is unreachable, and ends it on a refusal', async () => {
  const { machine, server, window } = scene();
  const one = window();
  server.answer = replyOf(503);
  expect(await one.accessToken()).toMatchObject({ kind: 'unreachable' });
  expect(await one.isActive()).toBe(true);
  server.answer = replyOf(401);
  expect(await one.accessToken()).toEqual({ kind: 'signed-out' });
  expect(machine.saved).toEqual({ ...saved, ended: true });
  expect([await one.isActive(), await one.owner()]).toEqual([false, { accountId: 'account-1', orgId: 'org-1' }]);
  const { renewals } = server;
  await one.accessToken();
  expect(server.renewals).toBe(renewals);
});

test('uses the token of another window if its own expired', async () => {
  const { machine, server, window } = scene();
  server.known = new Set(['refresh-2']);
  const one = window();
  const pendingToken = one.accessToken();
  machine.saved = { ...saved, refreshToken: 'refresh-2' };
  expect((await pendingToken).kind).toBe('token');
  expect(machine.saved).toEqual({ ...saved, refreshToken: 'refresh-2' });
});

test('removes tokens at once on sign-out, tells the server, and discards a renewal in progress', async () => {
  const { machine, server, window } = scene();
  const one = window();
  const pendingToken = one.accessToken();
  await one.signOut();
  expect(await pendingToken).toEqual({ kind: 'signed-out' });
  expect([machine.saved, server.revoked]).toEqual([null, 'refresh-1']);
  expect(await one.owner()).toBeNull();
});

test('stores the refresh token on sign-in and uses the access token issued with it', async () => {
  const { machine, server, window } = scene(null);
  const one = window();
  expect(await one.accessToken()).toEqual({ kind: 'signed-out' });
  const redeemed: Redeemed = {
    accessToken: jwt('first'),
    refreshToken: 'refresh-9',
    expiresAt: '2026-11-01T00:10:00Z',
    account,
    organization,
  };
  await one.signIn(redeemed);
  expect(machine.saved).toEqual({ refreshToken: 'refresh-9', account, organization });
  expect(await one.accessToken()).toEqual({ kind: 'token', token: jwt('first') });
  expect(server.renewals).toBe(0);
});
