import { countOverdueRemediations } from '@sightline/contract/compliance/overdue-remediations.ts';
import { changeRemediations, recordRetest } from '@sightline/contract/compliance/remediation-changes.ts';
import { createRemediationTickets } from '@sightline/contract/compliance/remediation-tickets.ts';
import { exportRemediations, listRemediations } from '@sightline/contract/compliance/remediations.ts';
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { changeItems, recordManualRetest } from './commands.ts';
import { remediationCsvColumns } from './csv-columns.ts';
import { countOverdue, listVisibleRemediations } from './queries.ts';
import { requestRemediationTickets } from './tickets.ts';

export function remediationRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, listRemediations, ({ actor, query }) =>
    services.database.withOrg(actor.orgId, (tx) => listVisibleRemediations(tx, actor, query)),
  );
  exportRoute(app, services, [listRemediations, exportRemediations], {
    name: 'Remediations',
    columns: remediationCsvColumns,
  });
  route(app, services, countOverdueRemediations, ({ actor }) =>
    services.database.withOrg(actor.orgId, (tx) => countOverdue(tx, actor)),
  );
  route(app, services, changeRemediations, ({ actor, body }) => changeItems(services, actor, body));
  route(app, services, createRemediationTickets, ({ actor, body }) => requestRemediationTickets(services, actor, body));
  route(app, services, recordRetest, ({ actor, params, body }) =>
    recordManualRetest(services, actor, params.remediationId, body),
  );
}
