import { memo } from 'react';
import type { OnEntity } from '#ui/EventEntity.tsx';
import { DateRow } from './DayBar.tsx';
import { EventRow } from './EventRow.tsx';
import { GroupRow } from './GroupRow.tsx';
import s from './Timeline.module.css';
import type { TimelineRow } from './timelineRows.ts';
import type { RowExpansion } from './useOpened.ts';

interface RowSlotProps {
  row: TimelineRow;
  index: number;
  /** The total number of rows, -1 if unknown (aria-setsize). */
  size: number;
  /** Pixels below the start of the list. */
  top: number;
  measure: (element: HTMLLIElement | null) => void;
  open: boolean;
  dayName: string;
  dayCount: number | undefined;
  offset: number;
  opener: RowExpansion;
  onEntity: OnEntity;
}

/** Positions a row in the list. */
export const RowSlot = memo(function RowSlot(props: RowSlotProps) {
  const { row, index, size, top, measure, open, dayName, dayCount, offset, opener, onEntity } = props;
  return (
    <li
      ref={measure}
      className={s.slot}
      style={{ transform: `translateY(${top}px)` }}
      data-index={index}
      data-key={row.key}
      data-event={row.type === 'event' ? row.event.uuid : undefined}
      // The shortcuts j and k focus this element.
      tabIndex={row.type === 'event' ? -1 : undefined}
      aria-posinset={index + 1}
      aria-setsize={size}
    >
      {row.type === 'date' && <DateRow name={dayName} count={dayCount} />}
      {row.type === 'group' && <GroupRow group={row.group} shown={row.shown} offset={offset} opener={opener} />}
      {row.type === 'event' && (
        <EventRow event={row.event} open={open} offset={offset} onToggle={opener.toggleDetails} onEntity={onEntity} />
      )}
    </li>
  );
});
