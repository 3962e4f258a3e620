import {
  enableRepositories,
  exportRepositories,
  getRepository,
  getRepositoryById,
  listProviderRepos as listProviderReposCall,
  listRepositories,
} from '@sightline/contract/sources/repositories.ts';
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { updateEnabledRepositories } from './commands.ts';
import { repositoryCsvColumns } from './csv-columns.ts';
import { listProviderRepos } from './provider-repositories.ts';
import { findEnabledRepository, findRepository, listEnabledRepositories } from './queries.ts';

export function repositoriesRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listRepositories, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listEnabledRepositories(tx, actor, query)),
  );
  exportRoute(app, services, [listRepositories, exportRepositories], {
    name: 'Repositories',
    columns: repositoryCsvColumns,
  });
  route(app, services, getRepositoryById, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => findRepository(tx, actor, params.repositoryId)),
  );
  route(app, services, getRepository, ({ actor, params }) =>
    withOrg(actor.orgId, async (tx) => findRepository(tx, actor, await findEnabledRepository(tx, actor, params))),
  );
  route(app, services, listProviderReposCall, ({ actor }) =>
    withOrg(actor.orgId, (tx) => listProviderRepos(tx, actor)),
  );
  route(app, services, enableRepositories, ({ actor, body }) => updateEnabledRepositories(services, actor, body));
}
