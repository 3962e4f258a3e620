import type { AnchorKind, anchorSettings } from '@sightline/contract/ledger/anchors.ts';
import type { z } from 'zod';
import type { Outbound } from '#core/outbound.ts';
import type { Services } from '#core/services.ts';

export type SettingsOf<Kind extends AnchorKind> = z.output<(typeof anchorSettings)[Kind]>;

/** A signed checkpoint, and who is to have it. */
export interface Leaving<Settings> {
  orgId: string;
  settings: Settings;
  /** Empty where its kind has none. */
  secret: string;
  checkpoint: SignedCheckpoint;
  /** How many entries of this epoch they had before; 0 for none. */
  before: number;
}

export interface SignedCheckpoint {
  epoch: number;
  origin: string;
  size: number;
  /** Base64. */
  root: string;
  note: string;
}

export interface AnchorReceipt {
  /** What they answered that proves it. */
  receipt: Buffer | null;
  /** For the log of attempts, in words. */
  message: string;
}

/** How one kind leaves a checkpoint with somebody else. */
export interface Kind<Settings> {
  /** Throws `validation_failed` for settings that cannot work; connects to nothing. */
  check: (outbound: Outbound, settings: Settings) => Promise<void>;
  /** Throws a `Refusal` in words for people where they do not take it. */
  leave: (services: Services & { outbound: Outbound }, leaving: Leaving<Settings>) => Promise<AnchorReceipt>;
}
