import type { IdentifyEvent } from '@sightline/contract/timeline/events.ts';

/**
 * Where a queue lives through restarts: a file of an editor's window, the storage of a browser's extension. One queue
 * reads and writes it at a time. An event stands in it at most once, by `message_id`.
 */
export interface Store {
  /** In the order they were appended. What cannot be read, such as half a line after a crash, is left out. */
  list(): Promise<IdentifyEvent[]>;
  /** Resolves once they would survive a crash. */
  append(events: readonly IdentifyEvent[]): Promise<void>;
  /** By `message_id`; ids it does not hold are fine. */
  remove(ids: ReadonlySet<string>): Promise<void>;
}
