import type { ControlStatus, Verdict } from '@sightline/contract/compliance/controls.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

/** The tone and label of a control's status. A control without a population is never shown as passing. */
export const statusLooks: Record<ControlStatus | 'unjudged', readonly [Tone, string]> = {
  met: ['green', 'Passing'],
  not_met: ['red', 'Failing'],
  gap: ['yellow', 'Missing evidence'],
  no_population: ['gray', 'Not applicable'],
  unjudged: ['gray', 'Not evaluated'],
};
export const statusOrder = ['not_met', 'gap', 'met', 'no_population', 'unjudged'] as const;

/** The tone and label of an item's verdict. */
export const verdictLooks: Record<Verdict, readonly [Tone, string]> = {
  pass: ['green', 'Pass'],
  exception: ['red', 'Fail'],
  excepted: ['purple', 'Waived'],
  gap: ['yellow', 'Missing evidence'],
};
export const verdicts = ['exception', 'gap', 'excepted', 'pass'] as const satisfies readonly Verdict[];

export const fillOf = (tone: Tone): string => `var(--ui-${tone}-bar)`;
