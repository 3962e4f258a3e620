import { paths } from '@sightline/telemetry/api.ts';
import { isPaused, type Pause, toldPause } from '@sightline/telemetry/pause.ts';
import { heartbeatEveryMs } from '@sightline/telemetry/presence.ts';
import { browser } from 'wxt/browser';
import { kept, once } from '../storage.ts';
import { isThere } from './pages.ts';
import type { Services } from './services.ts';

const beatAlarm = 'heartbeat';

/** An alarm outlives the worker, which ends after half a minute of rest. */
export async function keepBeating(): Promise<void> {
  if (await browser.alarms.get(beatAlarm)) return;
  await browser.alarms.create(beatAlarm, { periodInMinutes: heartbeatEveryMs / 60_000 });
}

export const isBeat = (alarm: { name: string }): boolean => alarm.name === beatAlarm;

/**
 * Says that the person is there, where they are. A heartbeat that gets lost is followed by the next. While they pause, that is said
 * once and nothing else.
 */
export async function beat(services: Services, { leaving } = { leaving: false }): Promise<void> {
  if (!(await services.session.isActive())) return kept.remove('toldPause');
  const pause = (await kept.get('pause')) ?? null;
  if (pause && isPaused(pause, Date.now())) return tellPause(services, pause);
  await kept.remove('toldPause');
  if (leaving || (await isThere())) await send(services, { leaving });
}

async function tellPause(services: Services, pause: Pause): Promise<void> {
  const told = await kept.get('toldPause');
  if (told && told.until === pause.until) return;
  if (await send(services, { leaving: false, paused: toldPause(pause) })) await kept.set('toldPause', pause);
}

/** Whether the server has it. */
async function send(services: Services, said: object, refused?: string): Promise<boolean> {
  const { session, ask, type, version } = services;
  const got = await session.accessToken(refused);
  if (got.kind !== 'token') return false;
  const body = { side: 'browser', sessionId: await once('profile', () => crypto.randomUUID()), type, version, ...said };
  const { status } = await ask('POST', paths.heartbeat, { token: got.token, body });
  return status === 401 && refused === undefined ? send(services, said, got.token) : status < 300;
}
