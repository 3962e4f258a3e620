import {
  exportAgentSessions,
  getAgentSession,
  getAgentSessionFilters,
  getAgentSetup,
  getPromptStorage,
  listAgentRecords,
  listAgentSessions,
  updatePromptStorage,
} from '@sightline/contract/tools/agent-sessions.ts';
import type { FastifyInstance } from 'fastify';
import { exportRoute } from '#core/list-exports.ts';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { agentSessionCsvColumns } from './csv-columns.ts';
import { otlpRoutes } from './otlp-routes.ts';
import { findPromptStorage, setPromptStorage } from './prompt-storage.ts';
import { findFilters, findSession, listRecords, listSessions } from './queries.ts';
import { findSetup } from './setup.ts';

export async function agentSessionRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { withOrg } = services.database;
  await otlpRoutes(app, services);
  route(app, services, listAgentSessions, ({ actor, query }) =>
    withOrg(actor.orgId, (tx) => listSessions(tx, actor, query)),
  );
  exportRoute(app, services, [listAgentSessions, exportAgentSessions], {
    name: 'Agent sessions',
    columns: agentSessionCsvColumns,
  });
  route(app, services, getAgentSessionFilters, ({ actor }) => withOrg(actor.orgId, (tx) => findFilters(tx, actor)));
  route(app, services, getAgentSetup, ({ actor }) => findSetup(services, actor));
  route(app, services, getPromptStorage, ({ actor }) =>
    withOrg(actor.orgId, (tx) => findPromptStorage(tx, actor.orgId)),
  );
  route(app, services, updatePromptStorage, ({ actor, body }) => setPromptStorage(services, actor, body.isEnabled));
  route(app, services, getAgentSession, ({ actor, params }) =>
    withOrg(actor.orgId, (tx) => findSession(tx, actor, params.sessionId)),
  );
  route(app, services, listAgentRecords, ({ actor, params, query }) =>
    withOrg(actor.orgId, (tx) => listRecords(services, tx, actor, { sessionId: params.sessionId, query })),
  );
}
