import { listContributors } from '@sightline/contract/contributors.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { findTracked } from '../repositories/queries.ts';
import { listContributorsOf } from './queries.ts';

export function contributorsRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, listContributors, ({ actor, params, query }) =>
    services.database.withOrg(actor.orgId, async (tx) =>
      listContributorsOf(tx, actor, await findTracked(tx, actor, params), query),
    ),
  );
}
