import { z } from 'zod';
import { csvExportOf } from '../core/csv-export.ts';
import { endpoint } from '../core/endpoint.ts';
import { pagedQuery } from '../core/paging.ts';
import { severity } from '../core/severities.ts';
import { boundedText, commaList, timestamp } from '../core/text.ts';
import { controlParams, controlRead, runSelector } from './control-runs.ts';
import { MAX_SAMPLE_ROWS, verdict, verdictRow } from './controls.ts';
import { remediation } from './remediation-schemas.ts';

/** The current title of an evaluated item, for display. Evidence refers to its subject. */
const evaluatedItem = z.object({
  title: z.string(),
  /** Of a vulnerability. */
  severity: severity.nullable(),
  /** End of its remediation time limit; null if it is not open or has no limit. */
  dueAt: timestamp.nullable(),
});
export type EvaluatedItem = z.infer<typeof evaluatedItem>;

export const controlRow = verdictRow.extend({
  /** Null for items without a title, such as commits, and for deleted ones. */
  item: evaluatedItem.nullable(),
  /** Position in order of occurrence, from 0. */
  position: z.number().int(),
  repository: z.object({ id: z.string(), provider: z.string(), fullName: z.string() }).nullable(),
  /** What is done about a failure of the item in the period; null: nothing was recorded. */
  remediation: remediation.nullable(),
  /** The reasons in words, in their order; missing evidence includes its remedy. */
  explanations: z.array(
    z.object({ code: z.string(), text: z.string(), about: z.string().nullable(), remedy: z.string().nullable() }),
  ),
});
export type ControlRow = z.infer<typeof controlRow>;

export const listControlRows = endpoint({
  ...controlRead,
  path: '/v2/controls/:id/rows',
  summary: 'Lists the evaluated items of a control for a period with verdict and reason.',
  params: controlParams,
  query: pagedQuery(['position-asc', 'position-desc'], {
    ...runSelector,
    /** Only rows with these verdicts, or with the given reason. */
    verdict: commaList(verdict),
    reason: boundedText(60).default(''),
    repository: z.uuid().optional(),
  }),
  topics: ['orgEvidence'],
  response: z.array(controlRow),
  paged: true,
  errors: ['not_found'],
});
export const exportControlRows = csvExportOf(listControlRows);

export const getControlSample = endpoint({
  ...controlRead,
  path: '/v2/controls/:id/sample',
  summary:
    'Returns a sample of the items of a control for a period, selected by the root hash of the ledger checkpoint or by a custom seed.',
  params: controlParams,
  query: z.strictObject({
    ...runSelector,
    seed: boundedText(200).optional(),
    size: z.coerce.number().int().min(1).max(MAX_SAMPLE_ROWS).default(25),
  }),
  topics: ['orgEvidence'],
  response: z.object({
    seed: z.string(),
    /** Whether the seed is the root hash of the checkpoint. */
    isLedgerSeed: z.boolean(),
    /** Number of rows from which the sample was drawn. */
    population: z.number().int(),
    rows: z.array(controlRow),
  }),
  errors: ['not_found'],
});
