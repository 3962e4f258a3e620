import {
  decideContributorMerge,
  listContributorMerges,
  undoContributorMerge,
} from '@sightline/contract/sources/contributor-merges.ts';
import { exportContributors, listContributors } from '@sightline/contract/sources/contributors.ts';
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { findEnabledRepository } from '../repositories/queries.ts';
import { recordMergeDecision, revertMergeDecision } from './commands.ts';
import { contributorCsvColumns } from './csv-columns.ts';
import { listContributorMergesOf } from './merges.ts';
import { listContributorsOf } from './queries.ts';

export function contributorsRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, listContributors, ({ actor, params, query }) =>
    services.database.withOrg(actor.orgId, async (tx) =>
      listContributorsOf(services, tx, actor, { repositoryId: await findEnabledRepository(tx, actor, params), query }),
    ),
  );
  exportRoute(app, services, [listContributors, exportContributors], {
    name: 'Contributors',
    columns: contributorCsvColumns,
  });
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
