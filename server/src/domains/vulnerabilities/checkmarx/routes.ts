import {
  connectCheckmarx,
  disconnectCheckmarx,
  getCheckmarx,
  listCheckmarxProjects,
  matchCheckmarxProject,
  syncCheckmarx,
  testCheckmarx,
} from '@sightline/contract/sources/integrations.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { testCheckmarxConnection } from './check.ts';
import { matchProject } from './commands.ts';
import { deleteConnection, requestCheckmarxSync, saveConnection } from './connect.ts';
import { checkmarxWebhookRoute } from './hook.ts';
import { listScannerProjects, maybeCheckmarxSettings } from './queries.ts';

export async function checkmarxRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { database, config } = services;
  route(app, services, getCheckmarx, ({ actor }) =>
    database.withOrg(
      actor.orgId,
      async (tx) => (await maybeCheckmarxSettings(tx, actor.orgId, config.PUBLIC_URL)) ?? null,
    ),
  );
  route(app, services, connectCheckmarx, ({ actor, body }) => saveConnection(services, actor, body));
  route(app, services, testCheckmarx, ({ actor, body }) => testCheckmarxConnection(services, actor.orgId, body));
  route(app, services, syncCheckmarx, ({ actor }) => requestCheckmarxSync(services, actor));
  route(app, services, disconnectCheckmarx, ({ actor }) => deleteConnection(services, actor));
  route(app, services, listCheckmarxProjects, ({ actor, query }) =>
    database.withOrg(actor.orgId, (tx) => listScannerProjects(tx, actor.orgId, query)),
  );
  route(app, services, matchCheckmarxProject, ({ actor, params, body }) =>
    matchProject(services, actor, params.projectId, body.repositoryId),
  );
  await checkmarxWebhookRoute(app, services);
}
