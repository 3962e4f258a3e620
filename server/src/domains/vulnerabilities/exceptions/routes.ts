import { decideLeave, listLeave, requestLeave, withdrawLeave } from '@sightline/contract/vulnerabilities/exceptions.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { decide, request, withdraw } from './commands.ts';
import { listLeave as leaveFor } from './queries.ts';

export function exceptionRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, listLeave, async ({ actor, query }) => {
    const withFindings = await services.flags.isOn('vulnerabilities', actor);
    return services.database.withOrg(actor.orgId, (tx) => leaveFor(tx, actor, query, withFindings));
  });
  route(app, services, requestLeave, ({ actor, body }) => request(services, actor, body));
  route(app, services, decideLeave, ({ actor, params, body }) => decide(services, actor, params.exceptionId, body));
  route(app, services, withdrawLeave, ({ actor, params }) => withdraw(services, actor, params.exceptionId));
}
