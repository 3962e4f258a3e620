import { getContext, getEvent, queryEvents, recordEvents } from '@sightline/contract/timeline/events.ts';
import { countEvents } from '@sightline/contract/timeline/explore.ts';
import { newId } from '#core/ids.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

/** An event as an extension sends it. */
export const eventItem = () => ({
  plugin_id: 'editor',
  event_type: 'other',
  message_id: newId(),
  original_timestamp: '2026-03-01T12:00:00Z',
  identifiers: { what: 'extension_installed', tool: 'acme.api' },
});

export const endpointCases = [
  endpointCase(getContext, {
    request: ({ contextId }) => ({ params: { contextId } }),
    access: { allows: 'members', foreign: 404 },
  }),
  endpointCase(getEvent, {
    request: ({ ownerEventId }) => ({ params: { eventId: ownerEventId } }),
    // An event of the owner: a contributor reads only their own events.
    access: { allows: ['owner', 'reviewer', 'auditor'], foreign: 404, except: { contributor: 404 } },
  }),
  endpointCase(queryEvents, {
    request: ({ contextId }) => ({ body: { context: contextId, query: '' } }),
    access: { allows: 'members', foreign: 404 },
    writesNothing: 'Reads only.',
  }),
  endpointCase(recordEvents, {
    request: () => ({ body: [eventItem()] }),
    access: { allows: 'members', accepts: 'extensions' },
    writesNothing: 'Adds events, which the timeline and the ledger record themselves.',
  }),
  endpointCase(countEvents, {
    request: ({ contextId }) => ({
      body: {
        context: contextId,
        query: 'kind:commit',
        newer: '2026-01-01T12:00:00Z_00000000-0000-7000-8000-000000000000',
      },
    }),
    access: { allows: 'members', foreign: 404 },
    writesNothing: 'Reads only.',
  }),
];
