import type { AnchorKind, anchorSettings } from '@sightline/contract/ledger/anchors.ts';
import type { z } from 'zod';
import type { Outbound } from '#core/outbound.ts';
import type { Services } from '#core/services.ts';

export type SettingsOf<Kind extends AnchorKind> = z.output<(typeof anchorSettings)[Kind]>;

/** A signed checkpoint for an anchor. */
export interface Publication<Settings> {
  orgId: string;
  settings: Settings;
  /** Empty for a kind without a secret. */
  secret: string;
  checkpoint: SignedCheckpoint;
  /** Size of the last checkpoint of this epoch that the anchor has; 0 for none. */
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
  /** Proof that the anchor returned. */
  receipt: Buffer | null;
  /** For the log of attempts. */
  message: string;
}

/** How one kind of anchor receives checkpoints. */
export interface Kind<Settings> {
  /** Throws `validation_failed` for settings that cannot work; connects to nothing. */
  check: (outbound: Outbound, settings: Settings) => Promise<void>;
  /** Throws a `Refusal` with a message for users if the anchor does not accept it. */
  publish: (services: Services & { outbound: Outbound }, publication: Publication<Settings>) => Promise<AnchorReceipt>;
}
