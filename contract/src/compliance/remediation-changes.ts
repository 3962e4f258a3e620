import { z } from 'zod';
import { controlId } from '../core/control-ids.ts';
import { endpoint } from '../core/endpoint.ts';
import { period } from '../core/periods.ts';
import { boundedText } from '../core/text.ts';
import { ticketUrl } from '../core/ticket-url.ts';
import { retestResult } from './remediation-schemas.ts';

/** Maximum number of items that one request assigns. */
export const MAX_REMEDIATED_ITEMS = 200;

const changes = ['orgEvidence'] as const;

export const changeRemediations = endpoint({
  method: 'POST',
  path: '/v2/remediations',
  summary: 'Sets the given fields of the remediation of failing items of a control.',
  scope: 'organization',
  permission: 'write:findings',
  body: z.strictObject({
    control: controlId,
    period,
    /** Items that fail in the newest evaluation of the period, or have a remediation in it. */
    subjects: z.array(boundedText(500).min(1)).min(1).max(MAX_REMEDIATED_ITEMS),
    ownerId: z.uuid().nullable().optional(),
    dueOn: z.iso.date().nullable().optional(),
    ticketUrl: ticketUrl.nullable().optional(),
    notes: boundedText(4000).optional(),
    isRemediated: z.boolean().optional(),
  }),
  changes,
  response: z.object({
    /** Number of changed items. */
    changed: z.number().int(),
  }),
  errors: ['not_found', 'conflict'],
});
export type RemediationChangeBody = z.output<typeof changeRemediations.body>;

export const recordRetest = endpoint({
  method: 'POST',
  path: '/v2/remediations/:remediationId/retests',
  summary: 'Records the result of a test after a failure. The failure remains.',
  scope: 'organization',
  permission: ['write:findings', 'approve:exceptions'],
  params: z.strictObject({ remediationId: z.uuid() }),
  body: z.strictObject({ result: retestResult, notes: boundedText(4000).default('') }),
  status: 201,
  changes,
  response: z.object({ id: z.string() }),
  errors: ['not_found', 'conflict'],
});
