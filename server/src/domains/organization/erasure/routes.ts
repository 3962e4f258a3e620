import {
  decideErasure,
  erasePerson,
  exportErasures,
  listErasures as listing,
  requestOwnErasure,
  withdrawOwnErasure,
} from '@sightline/contract/organization/erasure.ts';
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import {
  decideErasureRequest,
  requestErasureOfActor,
  startErasureByOwner,
  withdrawErasureOfActor,
} from './commands.ts';
import { erasureCsvColumns } from './csv-columns.ts';
import { listErasures } from './queries.ts';

export function erasureRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, listing, ({ actor, query }) =>
    services.database.withOrg(actor.orgId, (tx) => listErasures(tx, actor.orgId, query)),
  );
  exportRoute(app, services, [listing, exportErasures], { name: 'Data deletions', columns: erasureCsvColumns });
  route(app, services, erasePerson, ({ actor, body }) => startErasureByOwner(services, actor, body));
  route(app, services, decideErasure, ({ actor, params, body }) =>
    decideErasureRequest(services, actor, params.erasureId, body),
  );
  route(app, services, requestOwnErasure, ({ actor }) => requestErasureOfActor(services, actor));
  route(app, services, withdrawOwnErasure, ({ actor }) => withdrawErasureOfActor(services, actor));
}
