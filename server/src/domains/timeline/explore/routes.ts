import { countWeekHours, exportEventChart, groupEvents } from '@sightline/contract/timeline/event-groups.ts';
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
import { storeExploreContext } from './contexts.ts';
import { exportTimelineEvents } from './export.ts';
import { exportChart } from './export-chart.ts';
import { findGroups } from './groups.ts';
import { findHistogram } from './queries.ts';
import { findSuggestedValues } from './values.ts';
import { deleteSavedView, listSavedViews, saveView, updateSavedView } from './views.ts';
import { findWeekHours } from './week-hours.ts';

export function exploreRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, suggestValues, ({ actor, query }) =>
    services.database.withOrg(actor.orgId, (tx) => findSuggestedValues(tx, actor, query.key, query.typed)),
  );
  route(app, services, getHistogram, ({ actor, body }) => findHistogram(services, actor, body));
  route(app, services, groupEvents, ({ actor, body }) => findGroups(services, actor, body));
  route(app, services, countWeekHours, ({ actor, body }) => findWeekHours(services, actor, body));
  route(app, services, createContext, ({ actor, body }) =>
    services.database.withOrg(actor.orgId, (tx) => storeExploreContext(services, tx, actor, body)),
  );
  route(app, services, exportEndpoint, ({ actor, query }) => exportTimelineEvents(services, actor, query));
  route(app, services, exportEventChart, ({ actor, body }) => exportChart(services, actor, body));
  route(app, services, listEndpoint, ({ actor, query }) =>
    services.database.withOrg(actor.orgId, (tx) => listSavedViews(tx, actor, query.list)),
  );
  route(app, services, createView, ({ actor, body }) => saveView(services, actor, body));
  route(app, services, updateView, ({ actor, params, body }) => updateSavedView(services, actor, params.viewId, body));
  route(app, services, deleteView, ({ actor, params }) => deleteSavedView(services, actor, params.viewId));
}
