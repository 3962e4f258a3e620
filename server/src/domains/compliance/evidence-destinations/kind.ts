import type {
  EvidenceDestinationKind,
  evidenceDestinationSettings,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import type { z } from 'zod';
import type { FrozenSnapshot } from './frozen-snapshot.ts';
import type { Sink } from './sink.ts';

export type SettingsOf<Kind extends EvidenceDestinationKind> = z.output<(typeof evidenceDestinationSettings)[Kind]>;

/** An destination, opened. */
export interface EvidenceDestinationTarget<Settings> {
  settings: Settings;
  secret: string;
}

/** One thing that goes there. Its key is unique among those of a snapshot and means the same in the next one. */
export interface Item {
  key: string;
  /** What people call it. */
  label: string;
}

/** An item with the id it has for whoever takes it: the same however often it is sent. */
export interface Sending extends Item {
  id: string;
}

export interface DeliveryResult {
  /** `skipped`: nothing was to be sent, and `message` says why. */
  state: 'sent' | 'skipped';
  /** For the log, in words. */
  message: string;
}

/** What a destination took of other snapshots, by the key of the item: the name of the newest, and whether it was frozen later. */
export type SentBefore = ReadonlyMap<string, { snapshot: string; isNewer: boolean }>;

/** Sends as long as it is let in; throws `NotTaken` in words for people where something does not arrive. */
export interface Sender {
  /** Finds out whether it is let in and answers what it found, in words; undefined where they offer nothing to find it out by. */
  test: (() => Promise<string>) | undefined;
  /** Sent twice, an item is there once. */
  send: (snapshot: FrozenSnapshot, item: Sending) => Promise<DeliveryResult>;
}

/** How one kind takes snapshots. */
export interface Kind<Settings> {
  /** Whether an item takes the place of what another snapshot said: then an older one must not. */
  replaces: boolean;
  items: (snapshot: FrozenSnapshot, settings: Settings, before: SentBefore) => Item[];
  sender: (target: EvidenceDestinationTarget<Settings>, sink: Sink) => Sender;
}
