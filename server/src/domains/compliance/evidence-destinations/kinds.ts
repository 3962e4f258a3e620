import {
  type EvidenceDestinationKind,
  evidenceDestinationSettings,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import type { FrozenSnapshot } from './frozen-snapshot.ts';
import type { Item, Kind, Sender, SentBefore, SettingsOf } from './kind.ts';
import { defectdojo } from './kinds/defectdojo.ts';
import { drata } from './kinds/drata.ts';
import { gitlab } from './kinds/gitlab.ts';
import { vanta } from './kinds/vanta.ts';
import { webhook } from './kinds/webhook.ts';
import type { Sink } from './sink.ts';

const kinds: { [K in EvidenceDestinationKind]: Kind<SettingsOf<K>> } = { vanta, drata, defectdojo, gitlab, webhook };

/** What of a snapshot goes to a destination; `settings` as they are kept. */
export const itemsFor = <K extends EvidenceDestinationKind>(
  kind: K,
  settings: unknown,
  snapshot: FrozenSnapshot,
  before: SentBefore,
): Item[] => kinds[kind].items(snapshot, evidenceDestinationSettings[kind].parse(settings) as SettingsOf<K>, before);

/** Whoever brings it there. */
export const senderFor = <K extends EvidenceDestinationKind>(
  kind: K,
  settings: unknown,
  secret: string,
  sink: Sink,
): Sender =>
  kinds[kind].sender({ settings: evidenceDestinationSettings[kind].parse(settings) as SettingsOf<K>, secret }, sink);

/** Whether what it takes of a snapshot stands in the place of what it took of another. */
export const replaces = (kind: EvidenceDestinationKind): boolean => kinds[kind].replaces;
