import {
  decideFindingWaiver,
  dismissFindings,
  listFindingWaivers,
  mergeFindings,
  reopenFindings,
  requestFindingWaivers,
  splitFinding,
  withdrawFindingWaiver,
} from '@sightline/contract/vulnerabilities/triage.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { dismissFindingsById, reopenFindingsById } from './commands.ts';
import { listExceptions as exceptionsFor } from './exception-list.ts';
import { decide, request, withdraw } from './exceptions.ts';
import { mergeFindingsInto } from './merge.ts';
import { splitFindingSources } from './split.ts';

export function triageRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, dismissFindings, ({ actor, body }) => dismissFindingsById(services, actor, body));
  route(app, services, reopenFindings, ({ actor, body }) => reopenFindingsById(services, actor, body));
  route(app, services, listFindingWaivers, ({ actor, query }) =>
    services.database.withOrg(actor.orgId, (tx) => exceptionsFor(tx, actor, query)),
  );
  route(app, services, requestFindingWaivers, ({ actor, body }) => request(services, actor, body));
  route(app, services, decideFindingWaiver, ({ actor, params, body }) => decide(services, actor, params, body));
  route(app, services, withdrawFindingWaiver, ({ actor, params }) => withdraw(services, actor, params));
  route(app, services, mergeFindings, ({ actor, params, body }) =>
    mergeFindingsInto(services, actor, params.findingId, body.ids),
  );
  route(app, services, splitFinding, ({ actor, params, body }) =>
    splitFindingSources(services, actor, params.findingId, body.sources),
  );
}
