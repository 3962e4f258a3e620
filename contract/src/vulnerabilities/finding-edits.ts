import { z } from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { ticketUrl } from '../core/ticket-url.ts';
import { findingFilterQuery } from './findings.ts';
import { triageIds } from './triage.ts';
import { findingLabel, MAX_FINDING_LABELS } from './triage-fields.ts';

/** Maximum number of findings that one edit changes. */
export const MAX_EDITED_FINDINGS = 10_000;

const writing = { scope: 'organization', permission: 'write:findings', flag: 'vulnerabilities' } as const;
const labels = z.array(findingLabel).max(MAX_FINDING_LABELS);
/** The changed fields; others keep their values. Null removes a value. */
const findingEdit = z
  .strictObject({
    assigneeId: z.uuid().nullable(),
    ticketUrl: ticketUrl.nullable(),
    addLabels: labels,
    removeLabels: labels,
  })
  .partial()
  .refine((edit) => Object.keys(edit).length > 0, { error: 'must name at least one change' });
export type FindingEdit = z.infer<typeof findingEdit>;

export const editFindings = endpoint({
  method: 'POST',
  path: '/v2/vulnerabilities/edit',
  summary: 'Assigns, labels or links findings, by ID or all that match the filters of the query.',
  ...writing,
  query: findingFilterQuery,
  body: z.strictObject({
    findings: z.union([
      z.strictObject({ ids: triageIds }),
      /** All that match the query. The server rejects the request if their number has changed. */
      z.strictObject({ total: z.int().min(1).max(MAX_EDITED_FINDINGS) }),
    ]),
    edit: findingEdit,
  }),
  changes: ['orgFindings'],
  response: z.object({
    /** Null if every finding had the values already. */
    editId: z.string().nullable(),
    changed: z.number(),
    unchanged: z.number(),
  }),
  errors: ['not_found', 'conflict'],
});
export type FindingEditOutcome = z.output<typeof editFindings.response>;

export const undoFindingEdit = endpoint({
  method: 'POST',
  path: '/v2/vulnerabilities/edits/:editId/undo',
  summary: 'Undoes an edit of the caller. Findings that were edited again keep their values.',
  ...writing,
  params: z.strictObject({ editId: z.uuid() }),
  changes: ['orgFindings'],
  response: z.object({ changed: z.number(), unchanged: z.number() }),
  errors: ['not_found'],
});
