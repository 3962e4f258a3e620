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
import { test } from './check.ts';
import { matchProject } from './commands.ts';
import { connect, disconnect, syncNow } from './connect.ts';
import { hookRoute } from './hook.ts';
import { listProjects, maybeSettings } from './queries.ts';

export async function checkmarxRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { database, config } = services;
  route(app, services, getCheckmarx, ({ actor }) =>
    database.withOrg(actor.orgId, async (tx) => (await maybeSettings(tx, actor.orgId, config.PUBLIC_URL)) ?? null),
  );
  route(app, services, connectCheckmarx, ({ actor, body }) => connect(services, actor, body));
  route(app, services, testCheckmarx, ({ actor, body }) => test(services, actor.orgId, body));
  route(app, services, syncCheckmarx, ({ actor }) => syncNow(services, actor));
  route(app, services, disconnectCheckmarx, ({ actor }) => disconnect(services, actor));
  route(app, services, listCheckmarxProjects, ({ actor, query }) =>
    database.withOrg(actor.orgId, (tx) => listProjects(tx, actor.orgId, query)),
  );
  route(app, services, matchCheckmarxProject, ({ actor, params, body }) =>
    matchProject(services, actor, params.projectId, body.repositoryId),
  );
  await hookRoute(app, services);
}
