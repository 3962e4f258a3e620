import type { SendRequest } from '@sightline/telemetry/api.ts';
import type { Pause } from '@sightline/telemetry/pause.ts';
import type { ExtensionSignInSession } from '@sightline/telemetry/session.ts';
import { beforeEach, expect, test } from 'vitest';
import { createPresence } from './presence.ts';

const who = {
  side: 'ide',
  sessionId: '0b7f8f0e-6b3b-4f7e-9d0a-1d1f3b0a7c11',
  type: 'vscode',
  version: '1.0.0',
} as const;
const until = Date.parse('2026-11-22T12:00:00.000Z');

let sentReports: unknown[];
let status: number;
let pause: Pause | null;
let isActive: boolean;
beforeEach(() => {
  [sentReports, status, pause, isActive] = [[], 204, { until }, true];
});

// Only a socket reads the server URL. A socket would fail these tests by its messages.
function window() {
  const callApi: SendRequest = async (_method, path, request) => {
    sentReports.push({ path, ...(request?.body as object) });
    return { status, body: null, message: '', retryAfterMs: null };
  };
  const session = {
    isActive: async () => isActive,
    accessToken: async () => ({ kind: 'token', token: 'access-1' }),
  } as unknown as ExtensionSignInSession;
  const server = () => 'http://127.0.0.1:1';
  return createPresence({ server, callApi, session, who, pause: async () => pause, onChange: () => undefined });
}
const heartbeat = { path: expect.stringContaining('heartbeat'), ...who, leaving: false };

test('reports only a pause with its end while paused', async () => {
  const presence = window();
  await presence.restart();
  await presence.remind();
  expect(presence.isConnected()).toBe(false);
  expect(await presence.reportContext({ workspace: 'w', repo: null, branch: null, file: null })).toBeUndefined();
  await presence.leave();
  expect(sentReports).toEqual([{ ...heartbeat, paused: { until: '2026-11-22T12:00:00.000Z' } }]);
});

test('reports presence once after the server is reachable again', async () => {
  const presence = window();
  pause = { until: null };
  status = 503;
  await presence.restart();
  status = 204;
  await presence.remind();
  await presence.remind();
  expect(sentReports).toEqual([
    { ...heartbeat, paused: { until: null } },
    { ...heartbeat, paused: { until: null } },
  ]);
});

test('reports no presence while signed out', async () => {
  isActive = false;
  const presence = window();
  await presence.restart();
  await presence.remind();
  expect(sentReports).toEqual([]);
});
