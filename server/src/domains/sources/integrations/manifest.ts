import type { Flag } from '@sightline/contract/core/flags.ts';
import type { Integration } from '@sightline/contract/sources/integrations.ts';
import type { Actor } from '#core/actor.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

/** What a manifest may ask to find out how its integration is. */
export interface CardContext {
  services: Pick<Services, 'config' | 'githubApps' | 'countPublishRefusals'>;
  tx: Tx;
  actor: Pick<Actor, 'orgId' | 'reach'>;
}

/** How an integration is; what is left out is empty. */
export type IntegrationState = Pick<Integration, 'status'> &
  Partial<Omit<Integration, 'status' | 'name' | 'title' | 'category' | 'description'>>;

/** One integration. A file in the folder `manifest/` of any feature, named like the integration, exports one as `manifest`; nothing else lists it. */
export interface IntegrationCard extends Pick<Integration, 'name' | 'title' | 'category' | 'description'> {
  /** It does not exist while one of these is off. */
  flags?: readonly Flag[];
  /** Counts may be told to everybody in the organization; names of repositories may not. */
  look: (look: CardContext) => Promise<IntegrationState>;
}
