import type {
  EvidenceDestinationKind,
  evidenceDestinationSettings,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import type { z } from 'zod';
import type { ReceiverClient } from './receiver-client.ts';
import type { SnapshotContent } from './snapshot-content.ts';

export type SettingsOf<Kind extends EvidenceDestinationKind> = z.output<(typeof evidenceDestinationSettings)[Kind]>;

/** A destination with its secret opened. */
export interface EvidenceDestinationTarget<Settings> {
  settings: Settings;
  secret: string;
}

/** One item of a delivery. Its key is unique in a snapshot and means the same in the next one. */
export interface Item {
  key: string;
  /** For users. */
  label: string;
}

/** An item with its id at the receiver, the same for every attempt. */
export interface Sending extends Item {
  id: string;
}

export interface DeliveryResult {
  /** `skipped`: not sent, with the reason in `message`. */
  state: 'sent' | 'skipped';
  /** For the log. */
  message: string;
}

/** Items that a destination has from other snapshots, by key: the newest snapshot, and whether it is newer than this one. */
export type SentBefore = ReadonlyMap<string, { snapshot: string; isNewer: boolean }>;

/** Sends items to one destination. Throws `DeliveryRejected` with a message for users. */
export interface Sender {
  /** Tests access and returns the result for users; undefined if the service offers no test. */
  test: (() => Promise<string>) | undefined;
  /** Idempotent. */
  send: (snapshot: SnapshotContent, item: Sending) => Promise<DeliveryResult>;
}

/** How one kind of destination receives snapshots. */
export interface Kind<Settings> {
  /** Whether an item replaces the one of another snapshot: then an older snapshot must not replace a newer one. */
  replaces: boolean;
  items: (snapshot: SnapshotContent, settings: Settings, before: SentBefore) => Item[];
  sender: (target: EvidenceDestinationTarget<Settings>, client: ReceiverClient) => Sender;
}
