import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { OnEntity } from '#ui/EventEntity.tsx';
import { DayBar } from './DayBar.tsx';
import { NewerEvents } from './NewerEvents.tsx';
import { OlderEvents } from './OlderEvents.tsx';
import { RowSlot } from './RowSlot.tsx';
import s from './Timeline.module.css';
import { eventsPerChunk } from './timelineConstants.ts';
import type { TimelineModel } from './timelineModel.ts';
import { rowsOf, type TimelineRow } from './timelineRows.ts';
import { coveredHeightPx, useListWindow } from './useListWindow.ts';
import { useExpandedRows } from './useOpened.ts';
import type { Timeline } from './useTimeline.ts';
import { useTimelineKeys } from './useTimelineKeys.ts';

interface EventListProps {
  timeline: Timeline;
  model: TimelineModel;
  /** The event in the address, which is expanded and scrolled into view. */
  linked: string | undefined;
  /** Minutes from UTC. */
  offset: number;
  onEntity: OnEntity;
}

/** Lists events by day, newest first. Renders only visible rows, and loads more at both ends. */
export function EventList({ timeline, model, linked, offset, onEntity }: EventListProps) {
  const [opened, opener] = useExpandedRows(linked);
  const { rows, days } = useMemo(() => rowsOf(model, opened, offset), [model, opened, offset]);
  const list = useRef<HTMLOListElement>(null);
  const [activeKey, setActiveKey] = useState<string>();
  const active = useMemo(
    () => (activeKey === undefined ? -1 : rows.findIndex(({ key }) => key === activeKey)),
    [rows, activeKey],
  );
  const [atTop, setAtTop] = useState(true);
  const following = atTop && activeKey === undefined && opened.details.size === 0;
  const { setFollowing } = timeline;
  useEffect(() => setFollowing(following));
  const { virtualizer, scrollMargin } = useListWindow({ list, rows, opened, active, following });
  useTimelineKeys({ rows, active, virtualizer, opener });

  // Once, after a linked event has loaded: centers it, so that surrounding events are visible too.
  const pendingLink = useRef(linked);
  useLayoutEffect(() => {
    const index = rows.findIndex((row) => row.type === 'event' && row.event.uuid === pendingLink.current);
    if (pendingLink.current === undefined || index < 0 || scrollMargin === 0) return;
    pendingLink.current = undefined;
    virtualizer.scrollToIndex(index, { align: 'center' });
  }, [rows, virtualizer, scrollMargin]);

  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const loadOlder = useEffectEvent(timeline.loadOlder);
  // Loads one chunk before the last row, so that the reader does not reach the end.
  const shouldLoad =
    last >= rows.length - eventsPerChunk && timeline.hasOlder && !timeline.loading && !timeline.olderFailed;
  useEffect(() => {
    if (shouldLoad) loadOlder();
  }, [shouldLoad]);

  const topmost = virtualizer.getVirtualItemForOffset((virtualizer.scrollOffset ?? 0) + coveredHeightPx)?.index ?? 0;
  const day = rows[topmost]?.day ?? 0;
  const complete = (dayIndex: number) =>
    (dayIndex > 0 || !timeline.waiting) && (dayIndex < days.length - 1 || !timeline.hasOlder);
  const countOf = (dayIndex: number) => (complete(dayIndex) ? days[dayIndex]?.count : undefined);
  return (
    <section className={s.feed} aria-label="Events">
      <NewerEvents timeline={timeline} atTop={atTop} onTop={setAtTop} />
      <DayBar name={days[day]?.name ?? ''} count={countOf(day)} model={model} />
      <ol
        className={s.list}
        ref={list}
        style={{ height: virtualizer.getTotalSize() }}
        aria-busy={timeline.loadingOlder || timeline.loadingNewer}
        onFocus={({ target }) => setActiveKey(keyOf(target))}
        onBlur={({ relatedTarget }) => {
          if (!list.current?.contains(relatedTarget)) setActiveKey(undefined);
        }}
      >
        {items.map(({ index, key, start }) => {
          const row = rows[index];
          return (
            row && (
              <RowSlot
                key={key}
                row={row}
                index={index}
                size={timeline.hasOlder ? -1 : rows.length}
                top={start - scrollMargin}
                measure={virtualizer.measureElement}
                open={row.type === 'event' && opened.details.has(row.event.uuid)}
                dayName={days[row.day]?.name ?? ''}
                dayCount={row.type === 'date' ? countOf(row.day) : undefined}
                offset={offset}
                opener={opener}
                onEntity={onEntity}
              />
            )
          );
        })}
      </ol>
      <OlderEvents timeline={timeline} />
    </section>
  );
}

const keyOf = (element: Element): TimelineRow['key'] | undefined =>
  element.closest<HTMLElement>('li[data-key]')?.dataset.key ?? undefined;
