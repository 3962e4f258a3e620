import { listControlRows } from '@sightline/contract/compliance/control-rows.ts';
import { getControl as getControlEndpoint } from '@sightline/contract/compliance/control-runs.ts';
import { type ControlStatus, verdict } from '@sightline/contract/compliance/controls.ts';
import { controlId } from '@sightline/contract/core/control-ids.ts';
import { ledgerSize } from '@sightline/contract/core/ledger-sizes.ts';
import { period } from '@sightline/contract/core/periods.ts';
import type { McpAnswer } from '@sightline/contract/platform/mcp.ts';
import { z } from 'zod';
import { missingFact, nextPage, pageCursor, tool } from './tool.ts';

const PER_PAGE = 20;

const answers = {
  passing: 'yes',
  failing: 'no',
  missing_evidence: 'missing_evidence',
  not_applicable: 'not_applicable',
} as const satisfies Record<ControlStatus, McpAnswer>;

/** Texts of the catalog of controls, which ships with the product. */
const catalogFields = ['title', 'rule', 'population', 'verdicts', 'parameters', 'crosswalk', 'sources'];

export const getControl = tool({
  name: 'get_control',
  description:
    'Returns a control with its result for a period, the latest or as of a ledger size, and its items with verdict and ' +
    'reasons. By default the items that fail or lack evidence.',
  input: z.strictObject({
    control: controlId,
    period: period.optional().describe('Such as 2026-Q4 or 2026-10. Default: the current quarter'),
    ledgerSize: ledgerSize.optional().describe('Of an earlier evaluation. Default: the newest'),
    verdicts: z.array(verdict).max(4).default(['fail', 'missing_evidence']),
    cursor: pageCursor,
  }),
  async run({ read }, { control, period: chosen, ledgerSize: asOf, verdicts, cursor: page = 1 }) {
    const run = { period: chosen, asOf };
    const state = await read(getControlEndpoint, { params: { id: control }, query: run }, { trusted: catalogFields });
    const { result, trend: _, task, ...definition } = state;
    const query = { ...run, verdict: verdicts.join(','), page, perPage: PER_PAGE, sort: 'position-asc' };
    const rows = result?.hasRows
      ? await read(listControlRows, { params: { id: control }, query })
      : { rows: [], total: 0 };
    return {
      question: 'Does the control pass for this period?',
      answer: result === null ? 'missing_evidence' : answers[result.status],
      missingEvidence:
        result === null
          ? [
              missingFact('result', {
                reason: state.isEvaluated ? 'Not evaluated for this period yet.' : 'No data source is connected.',
                remedy: state.isEvaluated ? 'Evaluate the control.' : 'Connect one of its data sources.',
              }),
            ]
          : result.counts.missing_evidence > 0
            ? [missingFact('items', { reason: `${result.counts.missing_evidence} items lack required facts.` })]
            : [],
      ledgerSize: result === null ? undefined : `${result.asOfEpoch}.${result.asOfSize}`,
      path: `/evidence/controls/${control}${chosen === undefined ? '' : `?period=${encodeURIComponent(chosen)}`}`,
      nextCursor: nextPage(page, PER_PAGE, rows.total),
      result: { ...definition, evaluation: result, task, items: rows.rows, itemCount: rows.total },
    };
  },
});
