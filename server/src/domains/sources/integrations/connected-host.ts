import { providerNames } from '@sightline/contract/core/providers.ts';
import type { Connectable } from '@sightline/contract/sources/host-connections.ts';
import { maybeConnection } from '../host-connections/queries.ts';
import { healthOf } from './host-health.ts';
import type { IntegrationCard } from './manifest.ts';

/** A code host without an app: how it is, and what keeps it from bringing in more. */
export const connectedHost = (name: Connectable, places: string): IntegrationCard => ({
  name,
  title: providerNames[name],
  category: 'source-code-management',
  description: 'Repositories, pull requests, commits and reviews.',
  look: async (look) => {
    const { tx, actor } = look;
    const connection = await maybeConnection(tx, actor.orgId, name);
    if (!connection) return { status: 'inactive' };
    const health = await healthOf(look, name, {
      lacked: connection.missing,
      none:
        connection.workspaces.length === 0
          ? `No ${places} are selected. An Account Owner can select them here.`
          : `The selected ${places} contain no repository that the connection can read.`,
    });
    const links = [{ label: 'Repositories', href: '/organization/repositories' }];
    if (connection.failure === null) return { ...health, links };
    return { ...health, status: 'error', problem: { code: 'refused', message: connection.failure }, links };
  },
});
