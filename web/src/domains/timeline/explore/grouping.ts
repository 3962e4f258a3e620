import type { Event } from '@sightline/contract/timeline/events.ts';
import { inOrder } from './order.ts';
import { groupingWindow } from './timelineConstants.ts';

/** Events of one window that differ in nothing but what is counted or quoted, newest first. */
export interface Group {
  /** Of the window and of what is alike: the same however the group grows at either end. */
  id: string;
  events: readonly Event[];
}

/** The events of 30 seconds of the clock. */
export interface TimeWindow {
  /** Windows since 1970. */
  number: number;
  groups: readonly Group[];
}

export const windowOf = (event: Event): number => Math.floor(Date.parse(event.as_of) / groupingWindow);

/** The groups of a window, in the order of their newest events. Events in any order, each once. */
export function groupsOf(number: number, events: readonly Event[]): TimeWindow {
  if (events.length === 1) return { number, groups: events.map((event) => ({ id: groupId(number, event), events })) };
  const groups = new Map<string, Event[]>();
  for (const event of inOrder(events)) {
    const id = groupId(number, event);
    const known = groups.get(id);
    if (known) known.push(event);
    else groups.set(id, [event]);
  }
  return { number, groups: [...groups].map(([id, alike]) => ({ id, events: alike })) };
}

/** Kind, who, what it was done to, and the words between. */
function groupId(number: number, { type, source, summary }: Event): string {
  let id = `${number} ${type} ${source} ${summary.phrase}`;
  for (const parameter of summary.parameters) {
    if (!told.has(parameter.kind)) id += ` ${parameter.kind} ${parameter.ident}`;
  }
  return id;
}

// What each of many alike has of its own.
const told: ReadonlySet<string> = new Set(['sha', 'commit', 'text', 'number']);
