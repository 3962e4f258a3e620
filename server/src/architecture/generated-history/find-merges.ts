import { queryEvents } from '@sightline/contract/timeline/events.ts';
import { expect } from 'vitest';
import type { GeneratedHistory } from './generated-history.ts';

/** Returns the merges that a query of Explore finds, with the subjects of the answer key, sorted. */
export async function findMerges({ server, org }: GeneratedHistory, query: string): Promise<string[]> {
  const page = await server.as(org.owner, org.id)(queryEvents, { body: { query, pagination: { events: 200 } } });
  expect(page.reachedEnd).toBe(true);
  const merged = page.events.flatMap(({ summary }) => summary.parameters.filter(({ kind }) => kind === 'pr'));
  return merged.map(({ ident }) => `acme/widgets#${ident}`).toSorted();
}
