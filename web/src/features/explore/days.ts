import type { Event } from '@sightline/contract/events.ts';
import { dayName } from './zone.ts';

export interface Day {
  name: string;
  events: Event[];
}

/** Events in their order, cut at the midnights of the zone. */
export function daysOf(events: readonly Event[], offset: number): Day[] {
  const days: Day[] = [];
  for (const event of events) {
    const name = dayName(event.as_of, offset);
    const last = days.at(-1);
    if (last?.name === name) last.events.push(event);
    else days.push({ name, events: [event] });
  }
  return days;
}
