import { getControlsOverview } from '@sightline/contract/compliance/control-runs.ts';
import { period } from '@sightline/contract/core/periods.ts';
import { z } from 'zod';
import { missingFact, nextPage, pageCursor, tool } from './tool.ts';

const PER_PAGE = 20;

export const listGaps = tool({
  name: 'list_gaps',
  description:
    'Lists the missing evidence of a period by data source, with the affected controls and the remedy, and the number ' +
    'of controls by status.',
  input: z.strictObject({
    period: period.optional().describe('Such as 2026-Q4 or 2026-10. Default: the current quarter'),
    cursor: pageCursor,
  }),
  async run({ read }, { period: chosen, cursor: page = 1 }) {
    // Titles and remedies are from the catalog of controls, which ships with the product.
    const overview = await read(
      getControlsOverview,
      { query: { period: chosen } },
      { trusted: ['missing'], whole: ['missing'] },
    );
    const { missing, counts, asOf, unrecorded, running } = overview;
    const gaps = missing.slice((page - 1) * PER_PAGE, page * PER_PAGE);
    const isEvaluated = asOf !== null && counts.not_evaluated === 0;
    return {
      question: 'Is the evidence of this period complete?',
      answer: missing.length > 0 ? 'no' : isEvaluated ? 'yes' : 'missing_evidence',
      missingEvidence: [
        ...(isEvaluated
          ? []
          : [missingFact('evaluations', { reason: `${counts.not_evaluated} controls are not evaluated.` })]),
        ...gaps.map(({ title, rows, remedy }) => missingFact(title, { reason: `${rows} items lack it.`, remedy })),
      ],
      ledgerSize: asOf === null ? undefined : `${asOf.epoch}.${asOf.size}`,
      path: `/evidence${chosen === undefined ? '' : `?period=${encodeURIComponent(chosen)}`}`,
      nextCursor: nextPage(page, PER_PAGE, missing.length),
      result: { period: overview.period, counts, gaps, gapCount: missing.length, unrecorded, running },
    };
  },
});
