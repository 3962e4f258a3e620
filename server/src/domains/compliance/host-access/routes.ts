import { exportHostAccess, getHostAccessStatus, listHostAccess } from '@sightline/contract/compliance/host-access.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { exportAccessList } from './export.ts';
import { hostAccessStatus, listAccess } from './queries.ts';

export function hostAccessRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listHostAccess, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listAccess(tx, actor, query)),
  );
  route(app, services, exportHostAccess, ({ actor, query }) => exportAccessList(services, actor, query));
  route(app, services, getHostAccessStatus, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => hostAccessStatus(tx, actor, query)),
  );
}
