import {
  type EvidenceDestinationKind,
  evidenceDestinationSettings,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import type { Item, Kind, Sender, SentBefore, SettingsOf } from './kind.ts';
import { defectdojo } from './kinds/defectdojo.ts';
import { drata } from './kinds/drata.ts';
import { gitlab } from './kinds/gitlab.ts';
import { vanta } from './kinds/vanta.ts';
import { webhook } from './kinds/webhook.ts';
import type { ReceiverClient } from './receiver-client.ts';
import type { SnapshotContent } from './snapshot-content.ts';

const kinds: { [K in EvidenceDestinationKind]: Kind<SettingsOf<K>> } = { vanta, drata, defectdojo, gitlab, webhook };

/** The items of a snapshot for a destination; `settings` as stored. */
export const itemsFor = <K extends EvidenceDestinationKind>(
  kind: K,
  settings: unknown,
  snapshot: SnapshotContent,
  before: SentBefore,
): Item[] => kinds[kind].items(snapshot, evidenceDestinationSettings[kind].parse(settings) as SettingsOf<K>, before);

/** The sender of a kind. */
export const senderFor = <K extends EvidenceDestinationKind>(
  kind: K,
  settings: unknown,
  secret: string,
  client: ReceiverClient,
): Sender =>
  kinds[kind].sender({ settings: evidenceDestinationSettings[kind].parse(settings) as SettingsOf<K>, secret }, client);

/** Whether the items of a kind replace those of another snapshot. */
export const replaces = (kind: EvidenceDestinationKind): boolean => kinds[kind].replaces;
