import { paths } from '@sightline/telemetry/api.ts';
import { heartbeatEveryMs } from '@sightline/telemetry/presence.ts';
import { browser } from 'wxt/browser';
import { once } from '../keep.ts';
import { isThere } from './pages.ts';
import type { Services } from './services.ts';

const beatAlarm = 'heartbeat';

/** An alarm outlives the worker, which ends after half a minute of rest. */
export async function keepBeating(): Promise<void> {
  if (await browser.alarms.get(beatAlarm)) return;
  await browser.alarms.create(beatAlarm, { periodInMinutes: heartbeatEveryMs / 60_000 });
}

export const isBeat = (alarm: { name: string }): boolean => alarm.name === beatAlarm;

/** Says that the person is there, where they are. A heartbeat that gets lost is followed by the next. */
export async function beat(services: Services, { leaving } = { leaving: false }): Promise<void> {
  const { session, ask, type, version } = services;
  if (!(await session.isActive()) || !(leaving || (await isThere()))) return;
  const body = { side: 'browser', sessionId: await once('profile', () => crypto.randomUUID()), type, version, leaving };
  const send = async (refused?: string) => {
    const got = await session.accessToken(refused);
    if (got.kind !== 'token') return;
    const { status } = await ask('POST', paths.heartbeat, { token: got.token, body });
    if (status === 401 && refused === undefined) await send(got.token);
  };
  await send();
}
