import type { ControlStatus, Verdict } from '@sightline/contract/compliance/controls.ts';
import { statusLabels, verdictLabels } from '@sightline/evidence/controls/verdicts.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

/** The tone and label of a control's status. A control without a population is never shown as passing. */
export const statusBadges: Record<ControlStatus | 'not_evaluated', readonly [Tone, string]> = {
  passing: ['green', statusLabels.passing],
  failing: ['red', statusLabels.failing],
  missing_evidence: ['yellow', statusLabels.missing_evidence],
  not_applicable: ['gray', statusLabels.not_applicable],
  not_evaluated: ['gray', 'Not evaluated'],
};
export const statusOrder = ['failing', 'missing_evidence', 'passing', 'not_applicable', 'not_evaluated'] as const;

/** The tone and label of an item's verdict. */
export const verdictBadges: Record<Verdict, readonly [Tone, string]> = {
  pass: ['green', verdictLabels.pass],
  fail: ['red', verdictLabels.fail],
  waived: ['purple', verdictLabels.waived],
  missing_evidence: ['yellow', verdictLabels.missing_evidence],
};
export const verdicts = ['fail', 'missing_evidence', 'waived', 'pass'] as const satisfies readonly Verdict[];

export const toneFill = (tone: Tone): string => `var(--ui-${tone}-bar)`;
