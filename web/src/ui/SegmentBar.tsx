import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import s from './SegmentBar.module.css';

export interface Segment {
  key: string;
  label: string;
  count: number;
  /** A bar color token, such as `var(--ui-green-bar)`. */
  fill: string;
  /** Replaces the legend's square: a severity letter. */
  mark?: ReactNode;
}

interface SegmentBarProps {
  /** The effect of selecting an entry: 'Filter by status'. */
  label: string;
  segments: readonly Segment[];
  /** Keys of the selected entries; empty: all. */
  selected: readonly string[];
  onChange: (selected: string[]) => void;
  /** Counts below their labels, in equal columns. */
  stacked?: boolean;
}

/** Shares of a total with a legend; each legend entry is a filter toggle. */
export function SegmentBar({ label, segments, selected, onChange, stacked = false }: SegmentBarProps) {
  const total = segments.reduce((sum, { count }) => sum + count, 0);
  const toggle = (key: string) =>
    onChange(selected.includes(key) ? selected.filter((other) => other !== key) : [...selected, key]);
  return (
    <div className={s.frame} style={{ '--columns': segments.length, '--half': Math.ceil(segments.length / 2) }}>
      <div className={s.bar} aria-hidden data-empty={total === 0 || undefined}>
        {segments
          .filter(({ count }) => count > 0)
          .map(({ key, count, fill }) => (
            <span
              key={key}
              style={{ flexGrow: count, background: fill }}
              data-off={(selected.length > 0 && !selected.includes(key)) || undefined}
            />
          ))}
      </div>
      <ul className={s.legend} data-stacked={stacked || undefined} aria-label={label}>
        {segments.map(({ key, label: word, count, fill, mark }) => (
          <li key={key}>
            <UnstyledButton className={s.item ?? ''} aria-pressed={selected.includes(key)} onClick={() => toggle(key)}>
              {mark ?? <span className={s.dot} style={{ background: fill }} aria-hidden />}
              <span>{word}</span> <span className={s.count}>{count}</span>{' '}
              <span className={s.share}>{share(count, total)}</span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </div>
  );
}

// '<1%' for shares that would round to 0.
function share(count: number, total: number): string {
  if (count === 0) return '0%';
  const percent = Math.round((count / total) * 100);
  return percent === 0 ? '<1%' : `${percent}%`;
}
