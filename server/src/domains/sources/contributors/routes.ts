import {
  decideContributorMerge,
  listContributorMerges,
  undoContributorMerge,
} from '@sightline/contract/sources/contributor-merges.ts';
import { listContributors } from '@sightline/contract/sources/contributors.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { findEnabledRepository } from '../repositories/queries.ts';
import { recordMergeDecision, revertMergeDecision } from './commands.ts';
import { listContributorMergesOf } from './merges.ts';
import { listContributorsOf } from './queries.ts';

export function contributorsRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, listContributors, ({ actor, params, query }) =>
    services.database.withOrg(actor.orgId, async (tx) =>
      listContributorsOf(services, tx, actor, { repositoryId: await findEnabledRepository(tx, actor, params), query }),
    ),
  );
  route(app, services, listContributorMerges, ({ actor, params }) =>
    services.database.withOrg(actor.orgId, async (tx) =>
      listContributorMergesOf(tx, actor.orgId, await findEnabledRepository(tx, actor, params)),
    ),
  );
  route(app, services, decideContributorMerge, ({ actor, params, body }) =>
    recordMergeDecision(services, actor, params, body),
  );
  route(app, services, undoContributorMerge, ({ actor, params }) => revertMergeDecision(services, actor, params));
}
