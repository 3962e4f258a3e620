import type { EventFields, EventType } from '@sightline/telemetry/events.ts';
import { isPaused } from '@sightline/telemetry/pause.ts';
import { browser } from 'wxt/browser';
import { kept } from '../storage.ts';
import type { Services } from './services.ts';

/** Wakes the background while something waits to be sent; half a minute is the shortest that browsers allow. */
export const drainAlarm = 'drain';

/** Whether somebody is known for whom to record, and has not paused it. */
export async function isRecording({ session }: Services): Promise<boolean> {
  return (await session.owner()) !== null && !isPaused((await kept.get('pause')) ?? null, Date.now());
}

/** Keeps an event until the server has it. Nothing is recorded for nobody. */
export async function record<Type extends EventType>(
  { session, build, queue, log, sender }: Services,
  type: Type,
  fields: Omit<EventFields<Type>, 'owner'>,
): Promise<void> {
  const owner = await session.owner();
  if (!owner) return;
  const event = build(type, { owner, ...fields });
  log.note([event], 'waiting');
  await queue.add([event]);
  await browser.alarms.create(drainAlarm, { periodInMinutes: 0.5 });
  sender.kick();
}

/** Sends what waits, where the server has not asked for a while without; the alarm goes once nothing is left to send. */
export async function drain({ sender }: Services): Promise<void> {
  const { kind } = await sender.resume();
  if (kind === 'idle' || kind === 'signed-out') await browser.alarms.clear(drainAlarm);
}
