import {
  decideContributorMerge,
  listContributorMerges,
  undoContributorMerge,
} from '@sightline/contract/sources/contributor-merges.ts';
import { listContributors } from '@sightline/contract/sources/contributors.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { findTracked } from '../repositories/queries.ts';
import { decideMerge, undoMerge } from './commands.ts';
import { listMergesOf } from './merges.ts';
import { listContributorsOf } from './queries.ts';

export function contributorsRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, listContributors, ({ actor, params, query }) =>
    services.database.withOrg(actor.orgId, async (tx) =>
      listContributorsOf(services, tx, actor, { repositoryId: await findTracked(tx, actor, params), query }),
    ),
  );
  route(app, services, listContributorMerges, ({ actor, params }) =>
    services.database.withOrg(actor.orgId, async (tx) =>
      listMergesOf(tx, actor.orgId, await findTracked(tx, actor, params)),
    ),
  );
  route(app, services, decideContributorMerge, ({ actor, params, body }) => decideMerge(services, actor, params, body));
  route(app, services, undoContributorMerge, ({ actor, params }) => undoMerge(services, actor, params));
}
