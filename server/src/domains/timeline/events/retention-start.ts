import { type EventKind, eventKinds } from '@sightline/contract/timeline/events.ts';
import type { Config } from '#config.ts';

/** The start of the retention period, in milliseconds since 1970; the start of a day in UTC. */
export interface RetentionStart {
  events: number;
  /** Of clipboard events. */
  clipboard: number;
}

const clipboardKinds: readonly EventKind[] = ['browser_clipboard', 'ide_clipboard'];

/** Events of the repository history are retained as long as the history itself. */
const historyKinds: readonly EventKind[] = ['commit', 'pull_request'];

/** The retention period of a kind; undefined for kinds that are retained permanently. */
export const retentionPeriodOf = (kind: EventKind): keyof RetentionStart | undefined =>
  clipboardKinds.includes(kind) ? 'clipboard' : historyKinds.includes(kind) ? undefined : 'events';

/** The kinds with a retention period. */
export const expiringKinds: readonly EventKind[] = eventKinds.filter((kind) => retentionPeriodOf(kind) !== undefined);

const day = 24 * 60 * 60_000;

export function retentionStartOf(
  { EVENT_RETENTION_MONTHS, CLIPBOARD_RETENTION_DAYS }: Config,
  now: number = Date.now(),
): RetentionStart {
  const today = new Date(now);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth() - EVENT_RETENTION_MONTHS];
  // Thirteen months before the 31st is the last day of a possibly shorter month.
  const events = Date.UTC(
    year,
    month,
    Math.min(today.getUTCDate(), new Date(Date.UTC(year, month + 1, 0)).getUTCDate()),
  );
  const clipboard = Date.UTC(year, today.getUTCMonth(), today.getUTCDate()) - CLIPBOARD_RETENTION_DAYS * day;
  return { events, clipboard: Math.max(events, clipboard) };
}

/** Whether an event is within its retention period. Older events are never written. */
export function isKept({ kind, asOf }: { kind: EventKind; asOf: string }, kept: RetentionStart): boolean {
  const end = retentionPeriodOf(kind);
  return end === undefined || Date.parse(asOf) >= kept[end];
}
