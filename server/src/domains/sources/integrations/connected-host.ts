import { providerNames } from '@sightline/contract/core/providers.ts';
import type { ConnectableHost } from '@sightline/contract/sources/host-connections.ts';
import { maybeConnection } from '../host-connections/queries.ts';
import { codeHostState } from './host-health.ts';
import type { IntegrationCard } from './manifest.ts';

/** The card of a code host without an app. `scopeNoun`: the plural of its host scopes, such as `groups`. */
export const connectedHostCard = (name: ConnectableHost, scopeNoun: string): IntegrationCard => ({
  name,
  title: providerNames[name],
  category: 'source-code-management',
  description: 'Repositories, pull requests, commits and reviews.',
  look: async (context) => {
    const { tx, actor } = context;
    const connection = await maybeConnection(tx, actor.orgId, name);
    if (!connection) return { status: 'inactive' };
    const health = await codeHostState(context, name, {
      lacked: connection.missing,
      none:
        connection.workspaces.length === 0
          ? `No ${scopeNoun} are selected. An Account Owner can select them here.`
          : `The selected ${scopeNoun} contain no repository that the connection can read.`,
    });
    const links = [{ label: 'Repositories', href: '/organization/repositories' }];
    if (connection.failure === null) return { ...health, links };
    return { ...health, status: 'error', problem: { code: 'refused', message: connection.failure }, links };
  },
});
