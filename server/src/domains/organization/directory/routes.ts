import {
  connectDirectory,
  disconnectDirectory,
  exportDirectoryUsers,
  getDirectory,
  getGroupRoles,
  listDirectoryGroups,
  listDirectoryUsers,
  rotateDirectoryToken,
  testDirectory,
  updateDirectory,
  updateGroupRoles,
} from '@sightline/contract/organization/directory.ts';
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import {
  connectDirectoryOf,
  disconnectDirectoryOf,
  rotateTokenOf,
  updateDirectoryOf,
  updateGroupRolesOf,
} from './commands.ts';
import { directoryUserCsvColumns } from './csv-columns.ts';
import { findDirectoryProblems, findGroupRoles, listGroups, listUsers, maybeDirectory } from './queries.ts';
import { scimRoutes } from './scim/routes.ts';

export async function directoryRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { withOrg } = services.database;
  await scimRoutes(app, services);
  route(app, services, getDirectory, ({ actor }) =>
    withOrg(actor.orgId, async (tx) => (await maybeDirectory(services, tx, actor.orgId)) ?? null),
  );
  route(app, services, connectDirectory, ({ actor, body }) => connectDirectoryOf(services, actor, body));
  route(app, services, updateDirectory, ({ actor, body }) => updateDirectoryOf(services, actor, body));
  route(app, services, getGroupRoles, ({ actor }) =>
    withOrg(actor.orgId, (tx) => findGroupRoles(services, tx, actor.orgId)),
  );
  route(app, services, updateGroupRoles, ({ actor, body }) => updateGroupRolesOf(services, actor, body.roles));
  route(app, services, rotateDirectoryToken, ({ actor, body }) => rotateTokenOf(services, actor, body));
  route(app, services, disconnectDirectory, ({ actor }) => disconnectDirectoryOf(services, actor));
  route(app, services, testDirectory, ({ actor }) =>
    withOrg(actor.orgId, async (tx) => {
      const problems = await findDirectoryProblems(services, tx, actor.orgId);
      return { ok: problems.length === 0, problems };
    }),
  );
  route(app, services, listDirectoryUsers, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listUsers(tx, actor.orgId, query)),
  );
  exportRoute(app, services, [listDirectoryUsers, exportDirectoryUsers], {
    name: 'Directory users',
    columns: directoryUserCsvColumns,
  });
  route(app, services, listDirectoryGroups, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listGroups(tx, actor.orgId, query)),
  );
}
