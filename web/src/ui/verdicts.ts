import type { ControlStatus, Verdict } from '@sightline/contract/compliance/controls.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

/** A control's status as a badge. Without a population it is never met, and never green. */
export const statusLooks: Record<ControlStatus | 'unjudged', readonly [Tone, string]> = {
  met: ['green', 'Met'],
  not_met: ['red', 'Not met'],
  gap: ['yellow', 'Gap'],
  no_population: ['gray', 'No population'],
  unjudged: ['gray', 'Not judged'],
};
export const statusOrder = ['not_met', 'gap', 'met', 'no_population', 'unjudged'] as const;

/** A row's verdict: its tone, in one word, and what one and several of it are called beside a count. */
export const verdictLooks: Record<Verdict, readonly [Tone, string, readonly [string, string]]> = {
  pass: ['green', 'Pass', ['pass', 'pass']],
  exception: ['red', 'Exception', ['exception', 'exceptions']],
  excepted: ['purple', 'Excepted', ['excepted', 'excepted']],
  gap: ['yellow', 'Gap', ['gap', 'gaps']],
};
export const verdicts = ['exception', 'gap', 'excepted', 'pass'] as const satisfies readonly Verdict[];

export const fillOf = (tone: Tone): string => `var(--ui-${tone}-bar)`;
