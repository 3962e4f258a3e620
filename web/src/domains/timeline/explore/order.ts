import type { Event } from '@sightline/contract/timeline/events.ts';

/**
 * Sorts events, newest first. Code hosts report times in seconds, so within one second causes sort below their effects.
 * Otherwise an approval could appear after the merge.
 */
export const newestFirst = (events: readonly Event[]): Event[] =>
  events.toSorted((a, b) => Date.parse(b.as_of) - Date.parse(a.as_of) || stepOf(b) - stepOf(a));

function stepOf({ type, summary: { phrase } }: Event): number {
  if (type !== 'pull_request') return 0;
  if (/\bopened\b/.test(phrase)) return 1;
  return /\b(merged|closed)\b/.test(phrase) ? 3 : 2;
}
