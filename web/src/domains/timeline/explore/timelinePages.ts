import { type Event, type ExploreAnswer, getEvent, queryEvents } from '@sightline/contract/timeline/events.ts';
import { call } from '#lib/api.ts';
import { withPeople } from '#lib/event-people.ts';
import type { ExploreQuestion } from './exploreQuery.ts';
import { lightened } from './shared-values.ts';
import { chunk, initialLoad, nextLoad } from './timelineConstants.ts';

/** A part of the timeline, newest first, with the cursors of both ends. */
export type TimelinePage = Pick<
  ExploreAnswer,
  'events' | 'cursors' | 'reachedStart' | 'reachedEnd' | 'kept' | 'dataUpdatedAt'
>;

/** The start of a page: the newest events, or the cursor at one end of the loaded ones. */
export type PageStart = 'afresh' | { older: string } | { newer: string };

export async function loadPage(question: ExploreQuestion, start: PageStart): Promise<TimelinePage> {
  if (start === 'afresh')
    return question.event === undefined ? ask(question, initialLoad) : loadAround(question, question.event);
  if ('older' in start) return ask(question, nextLoad, 'older', start.older);
  return ask(question, nextLoad, 'newer', start.newer);
}

/** Loads one event with the events before and after it, even if it does not match the filters. */
async function loadAround(question: ExploreQuestion, eventId: string): Promise<TimelinePage> {
  const event = await call(getEvent, { params: { eventId } });
  const cursor = `${event.as_of}_${event.uuid}`;
  const [newer, older] = await Promise.all([
    ask(question, chunk, 'newer', cursor),
    ask(question, initialLoad, 'older', cursor),
  ]);
  return {
    events: uniqueEvents([...newer.events, event, ...older.events]),
    cursors: { newer: newer.cursors.newer ?? cursor, older: older.cursors.older ?? cursor },
    reachedStart: newer.reachedStart,
    reachedEnd: older.reachedEnd,
    kept: older.kept,
    dataUpdatedAt: newer.dataUpdatedAt,
  };
}

/** Removes repeated events: a cursor may precede the event it was made from by a fraction of a second. */
function uniqueEvents(events: readonly Event[]): Event[] {
  return [...new Map(events.map((event) => [event.uuid, event])).values()];
}

async function ask(
  { context, query, offset }: ExploreQuestion,
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
  return { ...page, events: answer.events.map((event) => lightened(withPeople(event, people))) };
}
