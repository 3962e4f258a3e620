import {
  connectTracker,
  disconnectTracker,
  getTracker,
  listTicketProjects as listCall,
  syncTracker,
  testTracker,
} from '@sightline/contract/sources/trackers.ts';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '#core/actor.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { testTrackerConnection } from './check.ts';
import { deleteTracker, requestTrackerSync, saveTracker } from './connect.ts';
import { trackerWebhookRoute } from './hook.ts';
import { listTicketProjects, loadTrackerState } from './queries.ts';

export async function trackerRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { withOrg } = services.database;
  const by = (actor: Actor) => ({ orgId: actor.orgId, accountId: actor.accountId, actor });
  route(app, services, getTracker, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => loadTrackerState(services, tx, actor.orgId, params.tracker)),
  );
  route(app, services, connectTracker, ({ actor, params, body }) =>
    saveTracker(services, by(actor), params.tracker, body),
  );
  route(app, services, testTracker, ({ actor, params, body }) =>
    testTrackerConnection(services, actor.orgId, params.tracker, body),
  );
  route(app, services, syncTracker, ({ actor, params }) => requestTrackerSync(services, by(actor), params.tracker));
  route(app, services, disconnectTracker, ({ actor, params }) => deleteTracker(services, by(actor), params.tracker));
  route(app, services, listCall, ({ actor: { orgId } }) => withOrg(orgId, (tx) => listTicketProjects(tx, orgId)));
  await trackerWebhookRoute(app, services);
}
