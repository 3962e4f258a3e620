import { scaleLinear } from '@visx/scale';
import { LinePath } from '@visx/shape';
import { CURRENT_COLOR, PREVIOUS_COLOR } from './GroupBars.tsx';
import s from './GroupCharts.module.css';
import { GroupCount } from './GroupCount.tsx';
import { GroupName } from './GroupName.tsx';
import type { ChartGroup } from './groups.ts';
import { dashOf } from './seriesLooks.ts';
import { useRangeSelection } from './useRangeSelection.ts';

interface GroupLinesProps {
  groups: readonly ChartGroup[];
  /** The number of intervals. */
  intervals: number;
  isEstimate: boolean;
  /** The labels at the start, the middle and the end of the time axis. */
  ticks: readonly string[];
  /** The time from the start of one interval to the end of another, as text. */
  rangeText: (first: number, last: number) => string;
  /** Zooms to these intervals. */
  onRange: (first: number, last: number) => void;
}

const HEIGHT = 56;

/**
 * A small line chart for each group, all with the same scales. The dashed line is the previous period. A range is selected
 * by dragging over any of them, or with the keyboard in the first.
 */
export function GroupLines({ groups, intervals, isEstimate, ticks, rangeText, onRange }: GroupLinesProps) {
  const { selected, keyProps, pointerProps } = useRangeSelection(intervals, ({ first, last }) => onRange(first, last));
  const largest = Math.max(1, ...groups.flatMap(({ counts, previous }) => [...counts, ...(previous?.counts ?? [])]));
  const x = scaleLinear({ domain: [0, Math.max(1, intervals - 1)], range: [0, 100] });
  const y = scaleLinear({ domain: [0, largest], range: [HEIGHT - 2, 2] });
  const line = (counts: readonly number[], dash: string | undefined, color: string) => (
    <LinePath
      data={[...counts]}
      x={(_, index) => x(index)}
      y={(count) => y(count)}
      stroke={color}
      strokeWidth={dash === undefined ? 2 : 1.5}
      strokeDasharray={dash}
      vectorEffect="non-scaling-stroke"
      fill="none"
    />
  );
  return (
    <ul className={s.lines}>
      {groups.map(({ key, counts, previous, onSelect, ...group }, index) => (
        <li key={key} className={s.panel}>
          <div className={s.panelHead}>
            <GroupName label={group.label} onSelect={onSelect} />
            <GroupCount count={group.count} previous={previous} isEstimate={isEstimate} />
          </div>
          <div
            {...pointerProps}
            {...(index === 0 && {
              role: 'slider',
              tabIndex: 0,
              ...keyProps,
              'aria-label':
                'Select a time range of the charts: arrow keys move, Shift with arrow keys extends, Enter zooms in',
              'aria-valuetext': selected
                ? rangeText(selected.first, selected.last)
                : rangeText(0, Math.max(0, intervals - 1)),
            })}
            className={s.plot}
          >
            <svg viewBox={`0 0 100 ${HEIGHT}`} width="100%" height={HEIGHT} preserveAspectRatio="none" aria-hidden>
              {previous && line(previous.counts, dashOf(1), PREVIOUS_COLOR)}
              {line(counts, undefined, CURRENT_COLOR)}
            </svg>
            <span className={s.peak} aria-hidden>
              {Math.round(largest)}
            </span>
            {selected && (
              <span
                className={s.window}
                style={{
                  insetInlineStart: `${(selected.first / intervals) * 100}%`,
                  width: `${((selected.last - selected.first + 1) / intervals) * 100}%`,
                }}
                aria-hidden
              />
            )}
          </div>
          <div className={s.ticks} aria-hidden>
            {ticks.map((tick, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: ticks have fixed places, and may be equal
              <span key={place}>{tick}</span>
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
}
