import {
  exportTools,
  getTool,
  listToolDetections,
  listToolFilters,
  listToolPeople,
  listToolProjects,
  listTools,
  reportTools,
  toolsQuestionOf,
} from '@sightline/contract/tools/tools.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { reportInstalled } from './commands.ts';
import { findTool } from './detail.ts';
import { listDetections } from './detections.ts';
import { exportInventory } from './export.ts';
import { listFilters } from './filters.ts';
import { listPeople, listProjects } from './holders.ts';
import { listInventory } from './queries.ts';

export function toolsRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listTools, ({ actor, body }) =>
    withOrg(actor.orgId, (tx) => listInventory(tx, actor, toolsQuestionOf(body, new Date()))),
  );
  route(app, services, exportTools, ({ actor, body }) =>
    exportInventory(services, actor, toolsQuestionOf(body, new Date())),
  );
  route(app, services, listToolFilters, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listFilters(tx, actor, query)),
  );
  route(app, services, getTool, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => findTool(tx, actor, params.toolId)),
  );
  route(app, services, listToolDetections, ({ actor, params, query }) =>
    withOrg(actor.orgId, (tx) => listDetections(tx, actor, params.toolId, query)),
  );
  route(app, services, listToolPeople, ({ actor, params, query }) =>
    withOrg(actor.orgId, (tx) => listPeople(tx, actor, params.toolId, query)),
  );
  route(app, services, listToolProjects, ({ actor, params, query }) =>
    withOrg(actor.orgId, (tx) => listProjects(tx, actor, params.toolId, query)),
  );
  route(app, services, reportTools, ({ actor, body }) => reportInstalled(services, actor, body));
}
