import { z } from 'zod';
import { controlId } from '../core/control-ids.ts';
import { endpoint } from '../core/endpoint.ts';
import { period } from '../core/periods.ts';
import { boundedText } from '../core/text.ts';
import { MAX_TICKET_SUBJECTS, ticketsRequested, ticketTarget } from '../sources/trackers.ts';

export const createRemediationTickets = endpoint({
  method: 'POST',
  path: '/v2/remediations/tickets',
  summary: 'Requests tickets in an issue tracker for failing items of a control, one for each or one for all.',
  scope: 'organization',
  permission: 'write:findings',
  status: 202,
  body: z.strictObject({
    control: controlId,
    period,
    /** Items that fail in the newest evaluation of the period, or have a remediation in it. */
    subjects: z.array(boundedText(500).min(1)).min(1).max(MAX_TICKET_SUBJECTS),
    target: ticketTarget,
  }),
  changes: ['orgEvidence', 'orgIntegrations'],
  response: ticketsRequested,
  errors: ['not_found', 'conflict'],
});
