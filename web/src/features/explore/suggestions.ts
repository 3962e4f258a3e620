import type { Event } from '@sightline/contract/events.ts';

const most = 50;

/** People and pull requests named in the events in sight, the most recent first. */
export function suggestionsOf(events: readonly Event[]): { actors: string[]; pullRequests: string[] } {
  const actors = new Set<string>();
  const pullRequests = new Set<string>();
  for (const { summary } of events) {
    for (const { kind, ident } of summary.parameters) {
      if (ident === '') continue;
      if (kind === 'user' && actors.size < most) actors.add(ident);
      if (kind === 'pr' && pullRequests.size < most) pullRequests.add(ident);
    }
  }
  return { actors: [...actors], pullRequests: [...pullRequests] };
}
