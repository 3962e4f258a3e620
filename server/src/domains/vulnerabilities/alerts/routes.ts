import { listAlertReadings, readAlertsAgain } from '@sightline/contract/vulnerabilities/alerts.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { findTracked } from '../../sources/repositories/queries.ts';
import { readAgain } from './commands.ts';
import { listReadings } from './queries.ts';
import { wantedSources } from './subject.ts';

export function alertRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, listAlertReadings, async ({ actor, params }) => {
    const sources = await wantedSources(services, actor.orgId, params.provider);
    return services.database.withOrg(actor.orgId, async (tx) =>
      listReadings(tx, actor.orgId, await findTracked(tx, actor, params), sources),
    );
  });
  route(app, services, readAlertsAgain, ({ actor, params }) => readAgain(services, actor, params));
}
