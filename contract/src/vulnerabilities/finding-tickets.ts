import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { MAX_TICKET_SUBJECTS, ticketsRequested, ticketTarget } from '../sources/trackers.ts';

export const createFindingTickets = endpoint({
  method: 'POST',
  path: '/v2/vulnerabilities/tickets',
  summary: 'Requests tickets in an issue tracker for findings, one for each or one for all.',
  scope: 'organization',
  permission: 'write:findings',
  flag: 'vulnerabilities',
  status: 202,
  body: z.strictObject({
    ids: z.array(z.uuid()).min(1).max(MAX_TICKET_SUBJECTS),
    target: ticketTarget,
  }),
  changes: ['orgFindings', 'orgIntegrations'],
  response: ticketsRequested,
  errors: ['not_found', 'conflict'],
});
