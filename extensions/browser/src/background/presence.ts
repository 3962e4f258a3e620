import { paths } from '@sightline/telemetry/api.ts';
import { isPaused, type Pause, pauseReport } from '@sightline/telemetry/pause.ts';
import { HEARTBEAT_INTERVAL_MS } from '@sightline/telemetry/presence.ts';
import { browser } from 'wxt/browser';
import { getOrCreate, localState } from '../storage.ts';
import { isUserActive } from './pages.ts';
import type { Services } from './services.ts';

const beatAlarm = 'heartbeat';

/** An alarm outlives the worker, which ends after half a minute of inactivity. */
export async function scheduleHeartbeats(): Promise<void> {
  if (await browser.alarms.get(beatAlarm)) return;
  await browser.alarms.create(beatAlarm, { periodInMinutes: HEARTBEAT_INTERVAL_MS / 60_000 });
}

export const isHeartbeatAlarm = (alarm: { name: string }): boolean => alarm.name === beatAlarm;

/**
 * Sends a heartbeat while the user is active. A lost heartbeat is followed by the next one. During a pause, the pause
 * is reported once and nothing else.
 */
export async function sendHeartbeat(services: Services, { leaving } = { leaving: false }): Promise<void> {
  if (!(await services.session.isActive())) return localState.remove('reportedPause');
  const pause = (await localState.get('pause')) ?? null;
  if (pause && isPaused(pause, Date.now())) return reportPause(services, pause);
  await localState.remove('reportedPause');
  if (leaving || (await isUserActive())) await send(services, { leaving });
}

async function reportPause(services: Services, pause: Pause): Promise<void> {
  const reportedPause = await localState.get('reportedPause');
  if (reportedPause && reportedPause.until === pause.until) return;
  if (await send(services, { leaving: false, paused: pauseReport(pause) }))
    await localState.set('reportedPause', pause);
}

/** Returns whether the server accepted it. */
async function send(services: Services, report: object, refused?: string): Promise<boolean> {
  const { session, callApi, browserType, version } = services;
  const token = await session.accessToken(refused);
  if (token.kind !== 'token') return false;
  const body = {
    side: 'browser',
    sessionId: await getOrCreate('profile', () => crypto.randomUUID()),
    type: browserType,
    version,
    ...report,
  };
  const { status } = await callApi('POST', paths.heartbeat, { token: token.token, body });
  return status === 401 && refused === undefined ? send(services, report, token.token) : status < 300;
}
