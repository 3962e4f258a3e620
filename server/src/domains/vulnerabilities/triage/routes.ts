import {
  decideException,
  dismissFindings,
  listExceptions,
  mergeFindings,
  reopenFindings,
  requestExceptions,
  splitFinding,
  withdrawException,
} from '@sightline/contract/vulnerabilities/triage.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { dismiss, reopen } from './commands.ts';
import { listExceptions as exceptionsFor } from './exception-list.ts';
import { decide, request, withdraw } from './exceptions.ts';
import { merge } from './merge.ts';
import { split } from './split.ts';

export function triageRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, dismissFindings, ({ actor, body }) => dismiss(services, actor, body));
  route(app, services, reopenFindings, ({ actor, body }) => reopen(services, actor, body));
  route(app, services, listExceptions, ({ actor, query }) =>
    services.database.withOrg(actor.orgId, (tx) => exceptionsFor(tx, actor, query)),
  );
  route(app, services, requestExceptions, ({ actor, body }) => request(services, actor, body));
  route(app, services, decideException, ({ actor, params, body }) => decide(services, actor, params, body));
  route(app, services, withdrawException, ({ actor, params }) => withdraw(services, actor, params));
  route(app, services, mergeFindings, ({ actor, params, body }) => merge(services, actor, params.findingId, body.ids));
  route(app, services, splitFinding, ({ actor, params, body }) =>
    split(services, actor, params.findingId, body.sources),
  );
}
