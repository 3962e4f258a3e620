import type { Event } from '@sightline/contract/timeline/events.ts';

/**
 * Newest first. A code host tells times to the second: within one, what must have come first stands below, so that
 * nobody seems to approve what is merged already.
 */
export const inOrder = (events: readonly Event[]): Event[] =>
  events.toSorted((a, b) => Date.parse(b.as_of) - Date.parse(a.as_of) || stepOf(b) - stepOf(a));

function stepOf({ type, summary: { phrase } }: Event): number {
  if (type !== 'pull_request') return 0;
  if (/\bopened\b/.test(phrase)) return 1;
  return /\b(merged|closed)\b/.test(phrase) ? 3 : 2;
}
