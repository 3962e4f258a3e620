import type { LinkedTicket } from '@sightline/contract/sources/trackers.ts';

/** The state of a ticket that was created here, in words. */
export function linkedTicketText({ state, status, note }: LinkedTicket): string {
  const because = note === null ? '' : `: ${note}`;
  if (state === 'requested') return 'Being created';
  if (state === 'failed') return `Not created${because}`;
  if (state === 'missing') return 'Deleted in the tracker, or hidden from the connection';
  if (state === 'moved') return `${status}, moved from ${note}`;
  return `${status}${because}`;
}
