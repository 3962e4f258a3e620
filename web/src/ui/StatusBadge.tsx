import type { ReactNode } from 'react';
import s from './StatusBadge.module.css';

export type Tone = 'green' | 'blue' | 'yellow' | 'red' | 'purple' | 'gray' | 'orange';

/** Tinted pill, a dot and the word: for tables about states. */
export const StatusBadge = ({ tone, children }: { tone: Tone; children: string }) => (
  <span className={s.badge} style={{ color: `var(--ui-${tone})`, background: `var(--ui-${tone}-tint)` }}>
    <span className={s.dot} style={{ background: `var(--ui-${tone}-bar)` }} aria-hidden />
    {children}
  </span>
);

/** Dot and text, for rows where a pill is too prominent. */
export const StatusDot = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={s.plain}>
    <span className={s.dot} style={{ background: `var(--ui-${tone}-bar)` }} aria-hidden />
    {children}
  </span>
);
