import type { IdentifyEvent } from '@sightline/contract/timeline/events.ts';
import type { Clock } from './clock.ts';

export const logStates = ['waiting', 'sent', 'dropped'] as const;
export type LogState = (typeof logStates)[number];

/** One line of "what was sent": the complete recorded data of an event. */
export interface LogEntry {
  id: string;
  /** Unix milliseconds of the last state change. */
  at: number;
  state: LogState;
  /** Why it was dropped; empty otherwise. */
  reason: string;
  type: IdentifyEvent['event_type'];
  /** RFC 3339. */
  happenedAt: string;
  identifiers: Record<string, string>;
  contentUri: string | null;
}

export interface Log {
  /** Records the state that events have reached. Used for every event that is queued, sent or dropped. */
  record(events: readonly IdentifyEvent[], state: LogState, reason?: string): void;
  /** Newest first. */
  entries(): LogEntry[];
  /** Number of dropped events since the log began, including unlisted ones. */
  dropped(): number;
  /** Restores the `entries` of an earlier process. */
  restore(entries: readonly LogEntry[]): void;
}

/** The last `size` events with their state. */
export function createLog({
  size = 200,
  clock = Date.now,
  onChange = () => undefined,
}: {
  size?: number;
  clock?: Clock;
  onChange?: () => void;
} = {}): Log {
  const lines = new Map<string, LogEntry>();
  let dropped = 0;

  const put = (entry: LogEntry) => {
    lines.delete(entry.id);
    lines.set(entry.id, entry);
    for (const id of lines.keys()) {
      if (lines.size <= size) break;
      lines.delete(id);
    }
  };

  return {
    record: (events, state, reason = '') => {
      if (events.length === 0) return;
      if (state === 'dropped') dropped += events.length;
      for (const event of events) put(entryOf(event, state, reason, clock()));
      onChange();
    },
    entries: () => [...lines.values()].reverse(),
    dropped: () => dropped,
    restore: (entries) => {
      const known = [...lines.values()];
      for (const entry of [...entries].reverse()) put(entry);
      for (const entry of known) put(entry);
    },
  };
}

const entryOf = (event: IdentifyEvent, state: LogState, reason: string, at: number): LogEntry => ({
  id: event.message_id,
  at,
  state,
  reason,
  type: event.event_type,
  happenedAt: event.original_timestamp,
  identifiers: event.identifiers,
  contentUri: event.content_uri ?? null,
});
