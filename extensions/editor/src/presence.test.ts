import type { Ask } from '@sightline/telemetry/api.ts';
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

let said: unknown[];
let status: number;
let pause: Pause | null;
let isActive: boolean;
beforeEach(() => {
  [said, status, pause, isActive] = [[], 204, { until }, true];
});

// The address of a server is only asked for by a socket: one that opened would fail these tests by what it says.
function window() {
  const ask: Ask = async (_method, path, asked) => {
    said.push({ path, ...(asked?.body as object) });
    return { status, body: null, message: '', retryAfterMs: null };
  };
  const session = {
    isActive: async () => isActive,
    accessToken: async () => ({ kind: 'token', token: 'access-1' }),
  } as unknown as ExtensionSignInSession;
  const server = () => 'http://127.0.0.1:1';
  return createPresence({ server, ask, session, who, pause: async () => pause, onChange: () => undefined });
}
const told = { path: expect.stringContaining('heartbeat'), ...who, leaving: false };

test('reports only a pause with its end while paused', async () => {
  const presence = window();
  await presence.restart();
  await presence.remind();
  expect(presence.isConnected()).toBe(false);
  expect(await presence.tell({ workspace: 'w', repo: null, branch: null, file: null })).toBeUndefined();
  await presence.leave();
  expect(said).toEqual([{ ...told, paused: { until: '2026-11-22T12:00:00.000Z' } }]);
});

test('reports presence once after the server is reachable again', async () => {
  const presence = window();
  pause = { until: null };
  status = 503;
  await presence.restart();
  status = 204;
  await presence.remind();
  await presence.remind();
  expect(said).toEqual([
    { ...told, paused: { until: null } },
    { ...told, paused: { until: null } },
  ]);
});

test('reports no presence while signed out', async () => {
  isActive = false;
  const presence = window();
  await presence.restart();
  await presence.remind();
  expect(said).toEqual([]);
});
