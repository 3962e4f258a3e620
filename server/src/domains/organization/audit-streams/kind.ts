import type {
  AuditStreamFailure,
  AuditStreamKind,
  auditStreamSettings,
} from '@sightline/contract/organization/audit-streams.ts';
import type { z } from 'zod';
import type { Outbound } from '#core/outbound.ts';
import type { LedgerPosition } from '../audit/queries.ts';

export type SettingsOf<Kind extends AuditStreamKind> = z.output<(typeof auditStreamSettings)[Kind]>;

/** Events in the order of the ledger. A retry begins at the same entry, and may hold more. */
export interface Batch {
  orgId: string;
  /** The host that this installation is reached under. */
  host: string;
  first: LedgerPosition;
  last: LedgerPosition;
  /** When the first entry was recorded, RFC 3339. */
  firstAt: string;
  /** Each as JSON on one line. */
  events: readonly { id: string; at: string; severityId: number; json: string }[];
  isTest: boolean;
}

/** A destination, opened. */
export interface StreamTarget<Settings> {
  settings: Settings;
  /** The present secret, and the previous one for as long as it signs. Empty where its kind has none. */
  secrets: readonly string[];
}

/** How one kind delivers. */
export interface Kind<Settings> {
  /** Throws `Invalid` for settings that cannot work; connects to nothing. */
  check: (outbound: Outbound, settings: Settings) => Promise<void>;
  /** Host or address, for the audit log: the rest may hold secrets. */
  hostOf: (settings: Settings) => string;
  /** Resolves once the destination has received the whole batch; else throws `DeliveryFailed`. */
  deliver: (outbound: Outbound, target: StreamTarget<Settings>, batch: Batch) => Promise<void>;
}

/** A batch that was not received. */
export class DeliveryFailed extends Error {
  override name = 'DeliveryFailed';
  readonly reason: AuditStreamFailure;
  readonly retryAfterSeconds: number;
  constructor(reason: AuditStreamFailure, retryAfterSeconds = 0) {
    super(reason);
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
