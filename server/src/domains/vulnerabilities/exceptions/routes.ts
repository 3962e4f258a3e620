import {
  decideWaiver,
  listWaivers,
  requestWaiver,
  withdrawWaiver,
} from '@sightline/contract/vulnerabilities/exceptions.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { decide, request, withdraw } from './commands.ts';
import { listLeave as leaveFor } from './queries.ts';

export function exceptionRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, listWaivers, async ({ actor, query }) => {
    const withFindings = await services.flags.isOn('vulnerabilities', actor);
    return services.database.withOrg(actor.orgId, (tx) => leaveFor(tx, actor, query, withFindings));
  });
  route(app, services, requestWaiver, ({ actor, body }) => request(services, actor, body));
  route(app, services, decideWaiver, ({ actor, params, body }) => decide(services, actor, params.exceptionId, body));
  route(app, services, withdrawWaiver, ({ actor, params }) => withdraw(services, actor, params.exceptionId));
}
