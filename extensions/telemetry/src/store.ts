import type { IdentifyEvent } from '@sightline/contract/timeline/events.ts';

/**
 * Persistent storage of a queue: a file of an editor window, or the storage of a browser extension. One queue accesses
 * it at a time. Events are unique by `message_id`.
 */
export interface Store {
  /** In append order. Skips unreadable events, such as incomplete lines after a crash. */
  list(): Promise<IdentifyEvent[]>;
  /** Resolves once the events are durable. */
  append(events: readonly IdentifyEvent[]): Promise<void>;
  /** Removes by `message_id`; unknown IDs are ignored. */
  remove(ids: ReadonlySet<string>): Promise<void>;
}
