import { type Event, type ExploreResponse, getEvent, queryEvents } from '@sightline/contract/timeline/events.ts';
import { call } from '#lib/api.ts';
import { withPeople } from '#lib/event-people.ts';
import type { TimelineQuery } from './exploreQuery.ts';
import { withSharedValues } from './shared-values.ts';
import { eventsPerChunk, eventsPerRequest, initialEvents } from './timelineConstants.ts';

/** A part of the timeline, newest first, with the cursors of both ends. */
export type TimelinePage = Pick<
  ExploreResponse,
  'events' | 'cursors' | 'reachedStart' | 'reachedEnd' | 'kept' | 'archived' | 'dataUpdatedAt'
>;

/** The start of a page: the newest events, or the cursor at one end of the loaded ones. */
export type PageStart = 'afresh' | { older: string } | { newer: string };

export async function loadPage(question: TimelineQuery, start: PageStart): Promise<TimelinePage> {
  if (start === 'afresh')
    return question.event === undefined ? ask(question, initialEvents) : loadAround(question, question.event);
  if ('older' in start) return ask(question, eventsPerRequest, 'older', start.older);
  return ask(question, eventsPerRequest, 'newer', start.newer);
}

/** Loads one event with the events before and after it, even if it does not match the filters. */
async function loadAround(question: TimelineQuery, eventId: string): Promise<TimelinePage> {
  const event = await call(getEvent, { params: { eventId } });
  const cursor = `${event.as_of}_${event.uuid}`;
  const [newer, older] = await Promise.all([
    ask(question, eventsPerChunk, 'newer', cursor),
    ask(question, initialEvents, 'older', cursor),
  ]);
  return {
    events: uniqueEvents([...newer.events, event, ...older.events]),
    cursors: { newer: newer.cursors.newer ?? cursor, older: older.cursors.older ?? cursor },
    reachedStart: newer.reachedStart,
    reachedEnd: older.reachedEnd,
    kept: older.kept,
    archived: older.archived,
    dataUpdatedAt: newer.dataUpdatedAt,
  };
}

/** Removes repeated events: a cursor may precede the event it was made from by a fraction of a second. */
function uniqueEvents(events: readonly Event[]): Event[] {
  return [...new Map(events.map((event) => [event.uuid, event])).values()];
}

async function ask(
  { context, query, offset }: TimelineQuery,
  events: number,
  direction: 'older' | 'newer' = 'older',
  cursor?: string,
): Promise<TimelinePage> {
  const answer = await call(queryEvents, {
    body: {
      ...(context !== undefined && { context }),
      query,
      offset,
      details: false,
      pagination: { events, direction, cursors: cursor === undefined ? {} : { [direction]: cursor } },
    },
  });
  const { people, ...page } = answer;
  return { ...page, events: answer.events.map((event) => withSharedValues(withPeople(event, people))) };
}
