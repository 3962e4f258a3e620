import type { ControlStatus, Verdict } from '@sightline/contract/compliance/controls.ts';
import { statusLabels, verdictLabels } from '@sightline/evidence/controls/verdicts.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

/** The tone and label of a control's status. A control without a population is never shown as passing. */
export const statusLooks: Record<ControlStatus | 'unjudged', readonly [Tone, string]> = {
  met: ['green', statusLabels.met],
  not_met: ['red', statusLabels.not_met],
  gap: ['yellow', statusLabels.gap],
  no_population: ['gray', statusLabels.no_population],
  unjudged: ['gray', 'Not evaluated'],
};
export const statusOrder = ['not_met', 'gap', 'met', 'no_population', 'unjudged'] as const;

/** The tone and label of an item's verdict. */
export const verdictLooks: Record<Verdict, readonly [Tone, string]> = {
  pass: ['green', verdictLabels.pass],
  exception: ['red', verdictLabels.exception],
  excepted: ['purple', verdictLabels.excepted],
  gap: ['yellow', verdictLabels.gap],
};
export const verdicts = ['exception', 'gap', 'excepted', 'pass'] as const satisfies readonly Verdict[];

export const fillOf = (tone: Tone): string => `var(--ui-${tone}-bar)`;
