import { boundedText } from '@sightline/contract/core/text.ts';
import { z } from 'zod';

/** The address of Explore. */
export const exploreQuery = z.object({
  /** A context ID. Any other text is an unknown context. */
  context: boundedText(100).optional(),
  /** In the query language (`query-language/` in the contract). */
  query: boundedText(2048).default(''),
  /** Additional required words, which the page adds to the query. */
  search: boundedText(200).trim().default(''),
  /** Expands this event and shows the events around it. */
  event: z.uuid().optional(),
});
export type ExploreQuery = z.output<typeof exploreQuery>;

/** The query of the timeline, the histogram and the export. */
export interface TimelineQuery {
  context: string | undefined;
  /** The last valid query. */
  query: string;
  /** The offset of the selected time zone, in minutes east of UTC. */
  offset: number;
  /** Starts around this event instead of at the newest. */
  event: string | undefined;
}
