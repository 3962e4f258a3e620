import { createHash } from 'node:crypto';
import type { BuildEvent, EventFields, EventType } from '@sightline/telemetry/events.ts';
import type { Log } from '@sightline/telemetry/log.ts';
import type { Queue } from '@sightline/telemetry/queue.ts';
import type { Sender } from '@sightline/telemetry/sender.ts';
import type { ExtensionSignInSession } from '@sightline/telemetry/session.ts';
import type { PauseFile } from './pause-file.ts';

/** Queues an event for sending. Records nothing while paused or before the first sign-in. Never throws. */
export type RecordEvent = <Type extends EventType>(
  type: Type,
  fields: Omit<EventFields<Type>, 'owner'> & {
    /** Identifies the event, so that several windows record it once. */
    once?: string;
    /** For the pause itself. */
    evenPaused?: boolean;
  },
) => Promise<void>;

export interface Recording {
  buildEvent: BuildEvent;
  queue: Queue;
  sender: Sender;
  session: ExtensionSignInSession;
  pause: PauseFile;
  logEvents: Log['record'];
  onTrouble: (error: unknown) => void;
}

export function createRecorder({
  buildEvent,
  queue,
  sender,
  session,
  pause,
  logEvents,
  onTrouble,
}: Recording): RecordEvent {
  return async (type, { once, evenPaused = false, ...fields }) => {
    try {
      if (!evenPaused && (await pause.read())) return;
      const owner = await session.owner();
      if (!owner) return;
      const built = buildEvent(type, { ...fields, owner } as EventFields<typeof type>);
      const event = once === undefined ? built : { ...built, message_id: idOf(`${owner.accountId} ${type} ${once}`) };
      await queue.add([event]);
      logEvents([event], 'waiting');
      sender.kick();
    } catch (error) {
      onTrouble(error);
    }
  };
}

/** A deterministic ID for a text, as a UUID of version 8 (RFC 9562). */
function idOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
