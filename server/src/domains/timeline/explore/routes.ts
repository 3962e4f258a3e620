import {
  createContext,
  createView,
  deleteView,
  exportEvents as exportEndpoint,
  getHistogram,
  listViews as listEndpoint,
  suggestValues,
  updateView,
} from '@sightline/contract/timeline/explore.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { contextOf } from './contexts.ts';
import { exportEvents } from './export.ts';
import { findHistogram } from './queries.ts';
import { valuesOf } from './values.ts';
import { changeView, keepView, listViews, removeView } from './views.ts';

export function exploreRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, suggestValues, ({ actor, query }) =>
    services.database.withOrg(actor.orgId, (tx) => valuesOf(tx, actor, query.key, query.typed)),
  );
  route(app, services, getHistogram, ({ actor, body }) => findHistogram(services, actor, body));
  route(app, services, createContext, ({ actor, body }) =>
    services.database.withOrg(actor.orgId, (tx) => contextOf(services, tx, actor, body)),
  );
  route(app, services, exportEndpoint, ({ actor, query }) => exportEvents(services, actor, query));
  route(app, services, listEndpoint, ({ actor }) =>
    services.database.withOrg(actor.orgId, (tx) => listViews(tx, actor)),
  );
  route(app, services, createView, ({ actor, body }) => keepView(services, actor, body));
  route(app, services, updateView, ({ actor, params, body }) => changeView(services, actor, params.viewId, body));
  route(app, services, deleteView, ({ actor, params }) => removeView(services, actor, params.viewId));
}
