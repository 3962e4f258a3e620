import { type AnchorKind, anchorSettings } from '@sightline/contract/ledger/anchors.ts';
import type { Services } from '#core/services.ts';
import { git } from './git.ts';
import type { AnchorReceipt, Kind, Publication, SettingsOf } from './kind.ts';
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

/** Publishes a checkpoint; `settings` as stored. */
export function publish<K extends AnchorKind>(
  services: Services,
  kind: K,
  publication: Publication<unknown>,
): Promise<AnchorReceipt> {
  const settings = anchorSettings[kind].parse(publication.settings) as SettingsOf<K>;
  const outbound = services.outboundFor(publication.orgId, 'anchor');
  return kinds[kind].publish({ ...services, outbound }, { ...publication, settings });
}
