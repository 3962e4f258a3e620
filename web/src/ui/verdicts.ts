import type { ControlStatus, Verdict } from '@sightline/contract/compliance/controls.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

/** A control's status as a badge. Without a population it is never met, and never green. */
export const statusLooks: Record<ControlStatus | 'unjudged', readonly [Tone, string]> = {
  met: ['green', 'Passing'],
  not_met: ['red', 'Failing'],
  gap: ['yellow', 'Missing evidence'],
  no_population: ['gray', 'Not applicable'],
  unjudged: ['gray', 'Not evaluated'],
};
export const statusOrder = ['not_met', 'gap', 'met', 'no_population', 'unjudged'] as const;

/** A row's verdict: its tone, in one word, and what one and several of it are called beside a count. */
export const verdictLooks: Record<Verdict, readonly [Tone, string, readonly [string, string]]> = {
  pass: ['green', 'Pass', ['pass', 'pass']],
  exception: ['red', 'Fail', ['exception', 'exceptions']],
  excepted: ['purple', 'Waived', ['excepted', 'excepted']],
  gap: ['yellow', 'Missing evidence', ['gap', 'gaps']],
};
export const verdicts = ['exception', 'gap', 'excepted', 'pass'] as const satisfies readonly Verdict[];

export const fillOf = (tone: Tone): string => `var(--ui-${tone}-bar)`;
