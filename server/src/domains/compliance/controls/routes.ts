import { exportControlRows, getControlSample, listControlRows } from '@sightline/contract/compliance/control-rows.ts';
import {
  exportControls,
  getControl,
  getControlsOverview,
  getControlTask,
  getReadiness,
  listControlRuns,
  listControlSettings,
  listControls,
  runControl,
  runControls,
} from '@sightline/contract/compliance/control-runs.ts';
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { requestAllEvaluations, requestEvaluation } from './commands.ts';
import { controlCsvColumns, controlRowCsvColumns } from './csv-columns.ts';
import { findOverview } from './overview.ts';
import {
  findControlRun,
  findControlState,
  findControlTask,
  listControlStates,
  listRuns,
  listSettings,
} from './queries.ts';
import { listReadiness } from './readiness.ts';
import { drawRows, listRows } from './rows.ts';

export function controlRoutes(app: FastifyInstance, services: Services): void {
  const { withOrg } = services.database;
  route(app, services, listControls, ({ actor: { orgId }, query }) =>
    withOrg(orgId, (tx) => listControlStates(tx, orgId, query.period)),
  );
  exportRoute(app, services, [listControls, exportControls], { name: 'Controls', columns: controlCsvColumns });
  route(app, services, getControlsOverview, ({ actor: { orgId }, query }) =>
    withOrg(orgId, (tx) => findOverview(tx, orgId, query.period)),
  );
  route(app, services, getReadiness, ({ actor: { orgId }, query }) =>
    withOrg(orgId, (tx) => listReadiness(tx, orgId, query.days)),
  );
  route(app, services, getControl, ({ actor: { orgId }, params, query }) =>
    withOrg(orgId, (tx) => findControlState(tx, orgId, params.id, query)),
  );
  route(app, services, listControlRuns, ({ actor: { orgId }, params, query }) =>
    withOrg(orgId, (tx) => listRuns(tx, orgId, params.id, query)),
  );
  route(app, services, listControlRows, ({ actor, params, query }) =>
    withOrg(actor.orgId, async (tx) =>
      listRows(tx, actor, await findControlRun(tx, actor.orgId, params.id, query), query),
    ),
  );
  exportRoute(app, services, [listControlRows, exportControlRows], {
    name: 'Control items',
    columns: controlRowCsvColumns,
  });
  route(app, services, getControlSample, ({ actor, params, query }) =>
    withOrg(actor.orgId, async (tx) => {
      const run = await findControlRun(tx, actor.orgId, params.id, query);
      const seed = query.seed ?? run.seed;
      const rows = await drawRows(tx, actor, run, { seed, size: query.size });
      return { seed, isLedgerSeed: seed === run.seed, population: run.population, rows };
    }),
  );
  route(app, services, listControlSettings, ({ actor: { orgId }, params }) =>
    withOrg(orgId, (tx) => listSettings(tx, orgId, params.id)),
  );
  route(app, services, getControlTask, ({ actor: { orgId }, params }) =>
    withOrg(orgId, (tx) => findControlTask(tx, orgId, params.id, params.taskId)),
  );
  route(app, services, runControl, ({ actor, params, body }) => requestEvaluation(services, actor, params.id, body));
  route(app, services, runControls, ({ actor, body }) => requestAllEvaluations(services, actor, body.period));
}
