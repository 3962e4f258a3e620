import { z } from 'zod';
import { controlId } from '../core/control-ids.ts';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { remediation } from './remediation-schemas.ts';

export const remediationListItem = remediation.extend({
  control: controlId,
  subject: z.string(),
  /** The title of the item; null: it has none. */
  title: z.string().nullable(),
  repository: z.object({ id: z.string(), provider: z.string(), fullName: z.string() }).nullable(),
});
export type RemediationListItem = z.infer<typeof remediationListItem>;

export const listRemediations = endpoint({
  method: 'GET',
  path: '/v2/remediations',
  summary: 'Lists remediations of failing items.',
  scope: 'organization',
  permission: 'read:policies-status',
  query: pagedQuery(['due-asc', 'due-desc', 'failed-desc', 'failed-asc'], {
    /** `open`: not retested with success. `overdue`: open after its due date. `mine`: open, and the caller is the owner. */
    view: z.enum(['open', 'overdue', 'mine', 'retested']).default('open'),
  }),
  topics: ['orgEvidence'],
  response: z.array(remediationListItem),
  paged: true,
});
export const exportRemediations = csvExportOf(listRemediations);
export type RemediationsQuery = z.output<typeof listRemediations.query>;
