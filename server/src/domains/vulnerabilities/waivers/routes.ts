import {
  decideWaiver,
  exportWaivers,
  listWaivers,
  requestFindingWaivers,
  requestWaiver,
  withdrawWaiver,
} from '@sightline/contract/vulnerabilities/waivers.ts';
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { decideWaiverById, requestControlWaiver, requestWaiversOfFindings, withdrawWaiverById } from './commands.ts';
import { waiverCsvColumns } from './csv-columns.ts';
import { listVisibleWaivers } from './queries.ts';

export function waiverRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, listWaivers, async ({ actor, query }) => {
    const withFindings = await services.flags.isOn('vulnerabilities', actor);
    return services.database.withOrg(actor.orgId, (tx) => listVisibleWaivers(tx, actor, query, withFindings));
  });
  exportRoute(app, services, [listWaivers, exportWaivers], { name: 'Waivers', columns: waiverCsvColumns });
  route(app, services, requestWaiver, ({ actor, body }) => requestControlWaiver(services, actor, body));
  route(app, services, requestFindingWaivers, ({ actor, body }) => requestWaiversOfFindings(services, actor, body));
  route(app, services, decideWaiver, ({ actor, params, body }) =>
    decideWaiverById(services, actor, params.waiverId, body),
  );
  route(app, services, withdrawWaiver, ({ actor, params }) => withdrawWaiverById(services, actor, params.waiverId));
}
