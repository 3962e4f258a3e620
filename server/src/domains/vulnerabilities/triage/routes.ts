import {
  editFindings as editFindingsCall,
  undoFindingEdit as undoFindingEditCall,
} from '@sightline/contract/vulnerabilities/finding-edits.ts';
import { createFindingTickets } from '@sightline/contract/vulnerabilities/finding-tickets.ts';
import {
  dismissFindings,
  mergeFindings,
  reopenFindings,
  splitFinding,
} from '@sightline/contract/vulnerabilities/triage.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { dismissFindingsById, reopenFindingsById } from './dismissals.ts';
import { editFindings, undoFindingEdit } from './edits.ts';
import { mergeFindingsInto } from './merge.ts';
import { splitFindingSources } from './split.ts';
import { requestFindingTickets } from './tickets.ts';

export function triageRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, dismissFindings, ({ actor, body }) => dismissFindingsById(services, actor, body));
  route(app, services, reopenFindings, ({ actor, body }) => reopenFindingsById(services, actor, body));
  route(app, services, editFindingsCall, ({ actor, query, body }) => editFindings(services, actor, query, body));
  route(app, services, undoFindingEditCall, ({ actor, params }) => undoFindingEdit(services, actor, params.editId));
  route(app, services, createFindingTickets, ({ actor, body }) => requestFindingTickets(services, actor, body));
  route(app, services, mergeFindings, ({ actor, params, body }) =>
    mergeFindingsInto(services, actor, params.findingId, body.ids),
  );
  route(app, services, splitFinding, ({ actor, params, body }) =>
    splitFindingSources(services, actor, params.findingId, body.sources),
  );
}
