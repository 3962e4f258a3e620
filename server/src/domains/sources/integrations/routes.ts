import { listIntegrations } from '@sightline/contract/sources/integrations.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { loadManifests } from './manifests.ts';
import { listIntegrationStates } from './queries.ts';

export async function integrationsRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const manifests = await loadManifests();
  route(app, services, listIntegrations, async ({ actor }) => {
    const on = new Set((await services.flags.listOn(actor)).map(({ name }) => name));
    return services.database.withOrg(actor.orgId, (tx) =>
      listIntegrationStates(manifests, (flag) => on.has(flag), { services, tx, actor }),
    );
  });
}
