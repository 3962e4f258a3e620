import { scaleLinear } from '@visx/scale';
import { Bar } from '@visx/shape';
import { useId } from 'react';
import s from './GroupCharts.module.css';
import { GroupCount } from './GroupCount.tsx';
import { GroupName } from './GroupName.tsx';
import type { ChartGroup } from './groups.ts';
import { SeriesPattern } from './seriesShapes.tsx';

interface GroupBarsProps {
  label: string;
  groups: readonly ChartGroup[];
  isEstimate: boolean;
}

export const CURRENT_COLOR = 'var(--ui-accent-line)';
export const PREVIOUS_COLOR = 'var(--ui-gray-bar)';
const BAR_HEIGHT = 10;

/** The total of each group as a bar. The bar below it, which is hatched, is that of the previous period. */
export function GroupBars({ label, groups, isEstimate }: GroupBarsProps) {
  const id = useId();
  const largest = Math.max(1, ...groups.flatMap(({ count, previous }) => [count, previous?.count ?? 0]));
  const width = scaleLinear({ domain: [0, largest], range: [0, 100] });
  return (
    <ul className={s.bars} aria-label={label}>
      <li aria-hidden className={s.patterns}>
        <svg width={0} height={0} aria-hidden>
          <SeriesPattern id={`${id}previous`} index={1} color={PREVIOUS_COLOR} />
        </svg>
      </li>
      {groups.map(({ key, previous, onSelect, ...group }) => (
        <li key={key} className={s.bar}>
          <GroupName label={group.label} onSelect={onSelect} />
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the name is the button for the keyboard */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same */}
          <div
            className={s.track}
            data-selectable={onSelect !== undefined || undefined}
            onClick={({ altKey }) => onSelect?.({ exclude: altKey })}
          >
            <svg width="100%" height={previous ? 2 * BAR_HEIGHT + 2 : BAR_HEIGHT} aria-hidden>
              <Bar x={0} y={0} width={`${width(group.count)}%`} height={BAR_HEIGHT} fill={CURRENT_COLOR} />
              {previous && previous.count > 0 && (
                <Bar
                  x={0}
                  y={BAR_HEIGHT + 1.5}
                  width={`${width(previous.count)}%`}
                  height={BAR_HEIGHT - 1}
                  fill={`url(#${id}previous)`}
                  stroke={PREVIOUS_COLOR}
                />
              )}
            </svg>
          </div>
          <GroupCount count={group.count} previous={previous} isEstimate={isEstimate} />
        </li>
      ))}
    </ul>
  );
}
