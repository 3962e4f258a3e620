import type { IdentifyEvent } from '@sightline/contract/timeline/events.ts';
import type { Clock } from './clock.ts';

export const logStates = ['waiting', 'sent', 'dropped'] as const;
export type LogState = (typeof logStates)[number];

/** One line of "what was sent": all that was recorded of an event. */
export interface LogEntry {
  id: string;
  /** Unix milliseconds of when it got this state. */
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
  note(events: readonly IdentifyEvent[], state: LogState, reason?: string): void;
  /** The newest first. */
  entries(): LogEntry[];
  /** How many were dropped since this log began, also those it no longer lists. */
  dropped(): number;
  /** Goes on from what an earlier process kept, as `entries` gave it. */
  restore(entries: readonly LogEntry[]): void;
}

/** The last `size` events and what became of them. */
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
    note: (events, state, reason = '') => {
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
