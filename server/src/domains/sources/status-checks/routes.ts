import {
  deleteStatusCheck as deleteCall,
  getStatusCheck,
  makeStatusCheck as makeCall,
} from '@sightline/contract/sources/status-checks.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { deleteStatusCheck, makeStatusCheck } from './commands.ts';
import { maybeStatusCheck } from './queries.ts';
import { receiveRoute } from './receive.ts';

export async function statusCheckRoutes(app: FastifyInstance, services: Services): Promise<void> {
  route(app, services, getStatusCheck, ({ actor: { orgId } }) =>
    services.database.withOrg(orgId, (tx) => maybeStatusCheck(services, tx, orgId)),
  );
  route(app, services, makeCall, ({ actor }) => makeStatusCheck(services, actor));
  route(app, services, deleteCall, ({ actor }) => deleteStatusCheck(services, actor));
  await receiveRoute(app, services);
}
