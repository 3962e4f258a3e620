import type { EventFields, EventType } from '@sightline/telemetry/events.ts';
import { isPaused } from '@sightline/telemetry/pause.ts';
import { browser } from 'wxt/browser';
import { localState } from '../storage.ts';
import type { Services } from './services.ts';

/** Wakes the background while events are queued. Half a minute is the minimum that browsers permit. */
export const sendQueueAlarm = 'drain';

/** Whether a user is signed in, or was until the server ended the session, and has not paused recording. */
export async function isRecording({ session }: Services): Promise<boolean> {
  return (await session.owner()) !== null && !isPaused((await localState.get('pause')) ?? null, Date.now());
}

/** Queues an event until the server accepts it. Records nothing without a user. */
export async function recordEvent<Type extends EventType>(
  { session, buildEvent, queue, log, sender }: Services,
  type: Type,
  fields: Omit<EventFields<Type>, 'owner'>,
): Promise<void> {
  const owner = await session.owner();
  if (!owner) return;
  const event = buildEvent(type, { owner, ...fields });
  log.record([event], 'waiting');
  await queue.add([event]);
  await browser.alarms.create(sendQueueAlarm, { periodInMinutes: 0.5 });
  sender.kick();
}

/** Sends queued events, unless the server requested a delay. Clears the alarm when the queue is empty. */
export async function sendQueuedEvents({ sender }: Services): Promise<void> {
  const { kind } = await sender.resume();
  if (kind === 'idle' || kind === 'signed-out') await browser.alarms.clear(sendQueueAlarm);
}
