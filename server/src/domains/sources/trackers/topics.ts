import type { TrackerName } from '@sightline/contract/sources/trackers.ts';
import { topic } from '#core/topics.ts';

/** What a ticket is about. */
export interface TicketSubjects {
  kind: 'finding' | 'remediation';
  ids: readonly string[];
}

/** A requested ticket was created. */
export const ticketCreated = topic<{ subjects: TicketSubjects; tracker: TrackerName; url: string }>(
  'sources.ticket-created',
);

/** A ticket that was created here was closed or reopened at the tracker. */
export const ticketStatusChanged = topic<{ subjects: TicketSubjects; tracker: TrackerName; to: 'open' | 'done' }>(
  'sources.ticket-status-changed',
);

/** A tracker was connected, or works again: tickets that could not be read can be read now. */
export const trackerAvailable = topic<{ tracker: TrackerName }>('sources.tracker-available');
