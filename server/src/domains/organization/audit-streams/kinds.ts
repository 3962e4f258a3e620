import { type AuditStreamKind, auditStreamSettings } from '@sightline/contract/organization/audit-streams.ts';
import type { Outbound } from '#core/outbound.ts';
import { parseSettings } from '../../delivery/destinations/queries.ts';
import type { Batch, Kind, SettingsOf } from './kind.ts';
import { https } from './kinds/https.ts';
import { s3 } from './kinds/s3.ts';
import { syslog } from './kinds/syslog.ts';

const kinds: { [K in AuditStreamKind]: Kind<SettingsOf<K>> } = { syslog, s3, https };

/** Parses settings of a kind. Throws `Invalid` for a field that the kind does not have. */
export const parseKindSettings = <K extends AuditStreamKind>(kind: K, given: unknown): SettingsOf<K> =>
  parseSettings(auditStreamSettings[kind], given) as SettingsOf<K>;

/** Throws `Invalid` for settings that cannot work. */
export const checkSettings = <K extends AuditStreamKind>(
  outbound: Outbound,
  kind: K,
  settings: unknown,
): Promise<void> => kinds[kind].check(outbound, parseKindSettings(kind, settings));

/** The host of a destination, as the audit log names it. */
export const hostOf = <K extends AuditStreamKind>(kind: K, settings: unknown): string =>
  kinds[kind].hostOf(parseKindSettings(kind, settings));

/** Delivers a batch; resolves once all of it was received, else throws `DeliveryFailed`. */
export const deliverBatch = <K extends AuditStreamKind>(
  outbound: Outbound,
  kind: K,
  { settings, secrets }: { settings: unknown; secrets: readonly string[] },
  batch: Batch,
): Promise<void> => kinds[kind].deliver(outbound, { settings: parseKindSettings(kind, settings), secrets }, batch);
