import type { Event } from '@sightline/contract/timeline/events.ts';
import { newestFirst } from './order.ts';
import { groupingWindowMs } from './timelineConstants.ts';

/** Events of one window that differ only in hashes, texts and numbers, newest first. */
export interface EventGroup {
  /** Derived from the window and the common values, so it is stable while the group grows at either end. */
  id: string;
  events: readonly Event[];
}

/** The events of an aligned interval of 30 seconds. */
export interface TimeWindow {
  /** The number of intervals since 1970. */
  number: number;
  groups: readonly EventGroup[];
}

export const windowOf = (event: Event): number => Math.floor(Date.parse(event.as_of) / groupingWindowMs);

/** Groups the events of a window, ordered by newest event. Accepts unique events in any order. */
export function groupsOf(number: number, events: readonly Event[]): TimeWindow {
  if (events.length === 1) return { number, groups: events.map((event) => ({ id: groupId(number, event), events })) };
  const groups = new Map<string, Event[]>();
  for (const event of newestFirst(events)) {
    const id = groupId(number, event);
    const known = groups.get(id);
    if (known) known.push(event);
    else groups.set(id, [event]);
  }
  return { number, groups: [...groups].map(([id, similar]) => ({ id, events: similar })) };
}

/** Identifies a group by type, source, phrase, and the parameters that all its events share. */
function groupId(number: number, { type, source, summary }: Event): string {
  let id = `${number} ${type} ${source} ${summary.phrase}`;
  for (const parameter of summary.parameters) {
    if (!variableKinds.has(parameter.kind)) id += ` ${parameter.kind} ${parameter.ident}`;
  }
  return id;
}

// Kinds of parameters that differ between similar events.
const variableKinds: ReadonlySet<string> = new Set(['sha', 'commit', 'text', 'number']);
