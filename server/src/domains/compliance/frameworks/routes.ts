import {
  approveFrameworkMapping,
  exportFramework,
  getFramework,
  importFramework,
  listFrameworks,
  removeFramework,
  updateFrameworkMapping,
  updateFrameworkRequirement,
} from '@sightline/contract/compliance/frameworks.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { approveMapping, changeMapping, importProfile, removeImported, updateRequirement } from './commands.ts';
import { exportFile } from './export.ts';
import { findFramework, listSummaries } from './queries.ts';

export function frameworkRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listFrameworks, ({ actor: { orgId } }) => withOrg(orgId, (tx) => listSummaries(tx, orgId)));
  route(app, services, getFramework, ({ actor: { orgId }, params, query }) =>
    withOrg(orgId, (tx) => findFramework(tx, orgId, params.frameworkId, query.period)),
  );
  route(app, services, exportFramework, ({ actor, params, query }) =>
    exportFile(services, actor, params.frameworkId, query),
  );
  route(app, services, updateFrameworkRequirement, ({ actor, params, body }) =>
    updateRequirement(services, actor, params, body),
  );
  route(app, services, importFramework, ({ actor, body }) => importProfile(services, actor, body));
  route(app, services, removeFramework, ({ actor, params }) => removeImported(services, actor, params.frameworkId));
  route(app, services, updateFrameworkMapping, ({ actor, params, body }) =>
    changeMapping(services, actor, params.frameworkId, body),
  );
  route(app, services, approveFrameworkMapping, ({ actor, params, body }) =>
    approveMapping(services, actor, params.frameworkId, body.sha256),
  );
}
