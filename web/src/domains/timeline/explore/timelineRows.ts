import type { Event } from '@sightline/contract/timeline/events.ts';
import type { EventGroup, TimeWindow } from './grouping.ts';
import { groupingWindowMs, rowHeightEstimatesPx, rowSpacingPx } from './timelineConstants.ts';
import type { TimelineModel } from './timelineModel.ts';
import { dayName } from './zone.ts';

/** A row of the timeline. `day` is the index of its day. */
export type TimelineRow =
  | { type: 'date'; key: string; day: number }
  | { type: 'event'; key: string; day: number; event: Event; group: EventGroup }
  | { type: 'group'; key: string; day: number; group: EventGroup; shown: number };

export interface TimelineDay {
  name: string;
  /** The number of its loaded events. */
  count: number;
}

/** The expanded rows. */
export interface ExpandedRows {
  /** Events whose details are shown, by uuid. */
  details: ReadonlySet<string>;
  /** How many similar events are shown below the first, by group. */
  groups: ReadonlyMap<string, number>;
}

export interface TimelineRows {
  rows: readonly TimelineRow[];
  days: readonly TimelineDay[];
}

/** Returns the rows of the loaded events. The first day has no row, because its name is above the list. */
export function rowsOf({ windows }: TimelineModel, opened: ExpandedRows, offset: number): TimelineRows {
  const rows: TimelineRow[] = [];
  const days: { name: string; count: number }[] = [];
  let number = Number.NaN;
  for (const window of windows) {
    const dayNumber = Math.floor((window.number * groupingWindowMs + offset * 60_000) / 86_400_000);
    if (dayNumber !== number) {
      number = dayNumber;
      const name = dayName(new Date(window.number * groupingWindowMs).toISOString(), offset);
      days.push({ name, count: 0 });
      if (days.length > 1) rows.push({ type: 'date', key: `day ${dayNumber}`, day: days.length - 1 });
    }
    const day = days.at(-1);
    if (day) day.count += addWindow(rows, window, days.length - 1, opened);
  }
  return { rows, days };
}

/** Adds the rows of a window; returns its number of events. */
function addWindow(rows: TimelineRow[], { groups }: TimeWindow, day: number, opened: ExpandedRows): number {
  let count = 0;
  for (const group of groups) {
    const { id, events } = group;
    count += events.length;
    const [head] = events;
    if (!head) continue;
    rows.push({ type: 'event', key: id, day, event: head, group });
    if (events.length === 1) continue;
    const shown = Math.min(opened.groups.get(id) ?? 0, events.length - 1);
    for (let place = 1; place < events.length; place += 1) {
      const event = events[place];
      if (event && (place <= shown || opened.details.has(event.uuid)))
        rows.push({ type: 'event', key: event.uuid, day, event, group });
      // Usually no event is expanded, so large groups are not searched.
      if (place >= shown && opened.details.size === 0) break;
    }
    rows.push({ type: 'group', key: `${id} more`, day, group, shown });
  }
  return count;
}

/** Estimates the height of a row in pixels before it is measured. */
export function estimateRowHeight(row: TimelineRow | undefined, opened: ExpandedRows): number {
  if (row?.type === 'date') return rowHeightEstimatesPx.date + rowSpacingPx;
  if (row?.type === 'group') return rowHeightEstimatesPx.group + rowSpacingPx;
  return (
    rowHeightEstimatesPx.summary +
    (row && opened.details.has(row.event.uuid) ? rowHeightEstimatesPx.details + rowSpacingPx : 0)
  );
}
