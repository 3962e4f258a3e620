import { listAlertImports, retryAlertImport } from '@sightline/contract/vulnerabilities/alert-imports.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { findEnabledRepository } from '../../sources/repositories/queries.ts';
import { requestAlertImport } from './commands.ts';
import { listAlertReadingsOf } from './queries.ts';
import { enabledAlertSources } from './subject.ts';

export function alertRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, listAlertImports, async ({ actor, params }) => {
    const sources = await enabledAlertSources(services, actor.orgId, params.provider);
    return services.database.withOrg(actor.orgId, async (tx) =>
      listAlertReadingsOf(tx, actor.orgId, await findEnabledRepository(tx, actor, params), sources),
    );
  });
  route(app, services, retryAlertImport, ({ actor, params }) => requestAlertImport(services, actor, params));
}
