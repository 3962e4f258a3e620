import { text } from '@sightline/contract/core/text.ts';
import { z } from 'zod';

/** What the address of Explore can ask for. */
export const exploreQuery = z.object({
  /** An id; anything else in the address is a context that is not known. */
  context: text(100).optional(),
  /** In the language of Explore (`query-language/` in the contract). */
  query: text(2048).default(''),
  /** Words that must occur beside it; the page puts them into the query. */
  search: text(200).trim().default(''),
  /** Opens this event, with what happened around it. */
  event: z.uuid().optional(),
});
export type ExploreQuery = z.output<typeof exploreQuery>;

/** What the timeline, its histogram and its export are asked. */
export interface ExploreQuestion {
  context: string | undefined;
  /** The last one that could be read. */
  query: string;
  /** Of the chosen time zone, in minutes east of UTC. */
  offset: number;
  /** Start around this event instead of at the newest. */
  event: string | undefined;
}
