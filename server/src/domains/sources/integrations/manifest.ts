import type { Flag } from '@sightline/contract/core/flags.ts';
import type { Integration } from '@sightline/contract/sources/integrations.ts';
import type { Actor } from '#core/actor.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

/** The dependencies of a manifest to determine the state of its integration. */
export interface CardContext {
  services: Pick<Services, 'config' | 'codeHostModules' | 'githubApps' | 'countPublishRefusals'>;
  tx: Tx;
  actor: Pick<Actor, 'orgId' | 'reach'>;
}

/** The state of an integration; omitted fields are empty. */
export type IntegrationState = Pick<Integration, 'status'> &
  Partial<Omit<Integration, 'status' | 'name' | 'title' | 'category' | 'description'>>;

/**
 * One integration. A file in a folder `manifest/`, named like the integration, exports it as `manifest`. No other list
 * exists.
 */
export interface IntegrationCard extends Pick<Integration, 'name' | 'title' | 'category' | 'description'> {
  /** The integration is hidden unless all of these are enabled. */
  flags?: readonly Flag[];
  /** Every member sees the result: it may contain counts, but no names of repositories. */
  look: (context: CardContext) => Promise<IntegrationState>;
}
