import { type AnchorKind, anchorSettings } from '@sightline/contract/ledger/anchors.ts';
import type { Services } from '#core/services.ts';
import { git } from './git.ts';
import type { AnchorReceipt, Kind, Leaving, SettingsOf } from './kind.ts';
import { mail } from './mail.ts';
import { rfc3161 } from './rfc3161.ts';
import { webhook } from './webhook.ts';
import { witness } from './witness.ts';

const kinds: { [K in AnchorKind]: Kind<SettingsOf<K>> } = { witness, rfc3161, mail, webhook, git };

/** Throws `validation_failed` for settings that cannot work. */
export const checkSettings = <K extends AnchorKind>(
  { outboundFor }: Services,
  orgId: string,
  kind: K,
  settings: SettingsOf<K>,
) => kinds[kind].check(outboundFor(orgId, 'anchor'), settings);

/** Leaves a checkpoint by the kind's own way; `settings` as they are kept. */
export function leave<K extends AnchorKind>(
  services: Services,
  kind: K,
  leaving: Leaving<unknown>,
): Promise<AnchorReceipt> {
  const settings = anchorSettings[kind].parse(leaving.settings) as SettingsOf<K>;
  const outbound = services.outboundFor(leaving.orgId, 'anchor');
  return kinds[kind].leave({ ...services, outbound }, { ...leaving, settings });
}
