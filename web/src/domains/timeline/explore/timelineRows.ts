import type { Event } from '@sightline/contract/timeline/events.ts';
import type { Group, TimeWindow } from './grouping.ts';
import { estimates, groupingWindow, spacing } from './timelineConstants.ts';
import type { Model } from './timelineModel.ts';
import { dayName } from './zone.ts';

/** A row of the timeline. `day` is the index of its day. */
export type TimelineRow =
  | { type: 'date'; key: string; day: number }
  | { type: 'event'; key: string; day: number; event: Event; group: Group }
  | { type: 'group'; key: string; day: number; group: Group; shown: number };

export interface Day {
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

export interface Rows {
  rows: readonly TimelineRow[];
  days: readonly Day[];
}

/** Returns the rows of the loaded events. The first day has no row, because its name is above the list. */
export function rowsOf({ windows }: Model, opened: ExpandedRows, offset: number): Rows {
  const rows: TimelineRow[] = [];
  const days: { name: string; count: number }[] = [];
  let number = Number.NaN;
  for (const window of windows) {
    const dayNumber = Math.floor((window.number * groupingWindow + offset * 60_000) / 86_400_000);
    if (dayNumber !== number) {
      number = dayNumber;
      const name = dayName(new Date(window.number * groupingWindow).toISOString(), offset);
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
export function estimateOf(row: TimelineRow | undefined, opened: ExpandedRows): number {
  if (row?.type === 'date') return estimates.date + spacing;
  if (row?.type === 'group') return estimates.group + spacing;
  return estimates.summary + (row && opened.details.has(row.event.uuid) ? estimates.details + spacing : 0);
}
