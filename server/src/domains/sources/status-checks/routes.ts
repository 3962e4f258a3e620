import {
  deleteStatusCheck as deleteCall,
  getStatusCheck,
  createStatusCheck as makeCall,
} from '@sightline/contract/sources/status-checks.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { createStatusCheckHook, deleteStatusCheckHook } from './commands.ts';
import { maybeStatusCheck } from './queries.ts';
import { statusCheckWebhookRoute } from './receive.ts';

export async function statusCheckRoutes(app: FastifyInstance, services: Services): Promise<void> {
  route(app, services, getStatusCheck, ({ actor: { orgId } }) =>
    services.database.withOrg(orgId, (tx) => maybeStatusCheck(services, tx, orgId)),
  );
  route(app, services, makeCall, ({ actor }) => createStatusCheckHook(services, actor));
  route(app, services, deleteCall, ({ actor }) => deleteStatusCheckHook(services, actor));
  await statusCheckWebhookRoute(app, services);
}
