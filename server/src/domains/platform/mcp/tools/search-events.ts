import { cursor, MAX_EXPLORE_EVENTS, queryEvents } from '@sightline/contract/timeline/events.ts';
import { z } from 'zod';
import { missingFact, tool } from './tool.ts';

const MAX_EVENTS = Math.min(50, MAX_EXPLORE_EVENTS);

export const searchEvents = tool({
  name: 'search_events',
  description:
    'Searches the timeline of events (commits, pull requests, findings, tools, policies), newest first, in the query ' +
    'language of Explore, such as `kind:commit repo:acme/api actor:ada`. An empty query returns the newest events.',
  input: z.strictObject({
    query: z.string().max(2048).default('').describe('In the query language of Explore'),
    limit: z.int().min(1).max(MAX_EVENTS).default(20),
    cursor: cursor.optional().describe('nextCursor of the previous result'),
  }),
  async run({ read }, { query, limit, cursor: older }) {
    const { events, cursors, reachedEnd, reachedStart, kept, dataUpdatedAt } = await read(
      queryEvents,
      { body: { query, details: false, pagination: { events: limit, direction: 'older', cursors: { older } } } },
      { trusted: ['cursors'], whole: ['events'] },
    );
    return {
      question: 'Does the timeline contain matching events that you may see?',
      answer: events.length > 0 || older !== undefined ? 'yes' : 'no',
      missingEvidence: reachedEnd
        ? [missingFact('Older events', { reason: `Most events are deleted after ${kept.months} months.` })]
        : [],
      path: `/explore?query=${encodeURIComponent(query)}`,
      nextCursor: reachedEnd ? null : cursors.older,
      result: {
        events: events.map(({ uuid, as_of, type, source, summary: { phrase, parameters }, proof }) => ({
          id: uuid,
          at: as_of,
          type,
          source,
          sentence: phrase,
          parameters: parameters.map(({ kind, display, ident }) => ({ kind, display, ident })),
          ledgerEntry: proof ?? null,
        })),
        isNewest: reachedStart,
        updatedAt: dataUpdatedAt,
      },
    };
  },
});
