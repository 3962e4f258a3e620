import {
  exportPullRequests,
  getPullRequest,
  getPullRequestsMeta,
  listOwnPullRequests,
  listPullRequests,
} from '@sightline/contract/sources/pull-requests.ts';
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { findEnabledRepository } from '../repositories/queries.ts';
import { pullRequestCsvColumns } from './csv-columns.ts';
import { countPullRequests, findPullRequest, listPullRequestsOf, listPullRequestsOfPerson } from './queries.ts';

export function pullRequestsRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listPullRequests, ({ actor, params, query }) =>
    withOrg(actor.orgId, async (tx) =>
      listPullRequestsOf(tx, actor.orgId, await findEnabledRepository(tx, actor, params), query),
    ),
  );
  exportRoute(app, services, [listPullRequests, exportPullRequests], {
    name: 'Pull requests',
    columns: pullRequestCsvColumns,
  });
  route(app, services, listOwnPullRequests, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listPullRequestsOfPerson(tx, actor, query)),
  );
  route(app, services, getPullRequestsMeta, ({ actor, params }) =>
    withOrg(actor.orgId, async (tx) =>
      countPullRequests(tx, actor.orgId, await findEnabledRepository(tx, actor, params)),
    ),
  );
  route(app, services, getPullRequest, ({ actor, params }) =>
    withOrg(actor.orgId, async (tx) =>
      findPullRequest(tx, actor.orgId, await findEnabledRepository(tx, actor, params), params.prNumber),
    ),
  );
}
