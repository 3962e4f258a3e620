import { UnstyledButton } from '@mantine/core';
import { scaleSqrt } from '@visx/scale';
import { Bar } from '@visx/shape';
import { type KeyboardEvent, useRef, useState } from 'react';
import { countText, differenceText, hourText } from './differences.ts';
import { CURRENT_COLOR, PREVIOUS_COLOR } from './GroupBars.tsx';
import s from './WeekGrid.module.css';

interface WeekGridProps {
  label: string;
  /** 168 counts from Monday, 00:00. */
  hours: readonly number[];
  /** The same in the previous period; null without comparison. */
  previous: readonly number[] | null;
  days: readonly string[];
  isEstimate: boolean;
  onSelect: (weekday: number, hour: number, options: { exclude: boolean }) => void;
}

const HOURS = 24;

/**
 * The events of each weekday and hour as squares, whose area is the count. The outline is that of the previous period. One
 * cell has the focus: arrow keys move it, Enter filters by it.
 */
export function WeekGrid({ label, hours, previous, days, isEstimate, onSelect }: WeekGridProps) {
  const grid = useRef<HTMLTableElement>(null);
  const [active, setActive] = useState(() => Math.max(0, hours.indexOf(Math.max(...hours))));
  const side = scaleSqrt({ domain: [0, Math.max(1, ...hours, ...(previous ?? []))], range: [0, 92] });
  const cellText = (place: number) => {
    const [count, before] = [hours[place] ?? 0, previous?.[place]];
    const time = `${days[Math.floor(place / HOURS)]} ${hourText(place % HOURS)}`;
    const difference =
      before === undefined ? '' : `, ${differenceText(count, before)} from ${countText(before, isEstimate)}`;
    return `${time}: ${countText(count, isEstimate)}${difference}`;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moved = {
      ArrowLeft: active % HOURS === 0 ? active : active - 1,
      ArrowRight: active % HOURS === HOURS - 1 ? active : active + 1,
      ArrowUp: active - HOURS,
      ArrowDown: active + HOURS,
      Home: active - (active % HOURS),
      End: active - (active % HOURS) + HOURS - 1,
    }[event.key];
    if (moved === undefined) return;
    event.preventDefault();
    if (moved < 0 || moved >= hours.length) return;
    setActive(moved);
    grid.current?.querySelector<HTMLElement>(`[data-place="${moved}"]`)?.focus();
  };
  const square = (count: number, look: object) => {
    const size = count === 0 ? 0 : Math.max(10, side(count));
    return size > 0 && <Bar x={50 - size / 2} y={50 - size / 2} width={size} height={size} {...look} />;
  };
  return (
    <div className={s.scroll}>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the cells contain buttons, of which one has the focus */}
      <table ref={grid} className={s.grid} role="grid" aria-label={label} onKeyDown={onKeyDown}>
        <tbody>
          {days.map((day, weekday) => (
            <tr key={day}>
              <th className={s.day} scope="row">
                <abbr title={day}>{day.slice(0, 3)}</abbr>
              </th>
              {hours.slice(weekday * HOURS, (weekday + 1) * HOURS).map((count, hour) => {
                const place = weekday * HOURS + hour;
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: hours have fixed places
                  <td key={hour}>
                    <UnstyledButton
                      className={s.cell ?? ''}
                      data-place={place}
                      tabIndex={place === active ? 0 : -1}
                      aria-label={cellText(place)}
                      title={`${cellText(place)}. Filter by it (Alt: exclude it)`}
                      onFocus={() => setActive(place)}
                      onClick={({ altKey }) => onSelect(weekday, hour, { exclude: altKey })}
                    >
                      <svg viewBox="0 0 100 100" aria-hidden>
                        {square(count, { fill: CURRENT_COLOR })}
                        {previous &&
                          square(previous[place] ?? 0, { fill: 'none', stroke: PREVIOUS_COLOR, strokeWidth: 8 })}
                      </svg>
                    </UnstyledButton>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
        <tfoot aria-hidden>
          <tr>
            <td />
            {Array.from({ length: HOURS }, (_, hour) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: hours have fixed places
              <td key={hour} className={s.hour}>
                {hour % 3 === 0 ? hour : ''}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
