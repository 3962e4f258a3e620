import { boundedText } from '@sightline/contract/core/text.ts';
import { chartKinds, type EventChart, groupFields, MAX_GROUPS } from '@sightline/contract/timeline/event-charts.ts';
import { z } from 'zod';

/** The numbers of groups of a chart. */
const topChoices = [5, 10, 20] as const;

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
  /** The chart above the events; without it, none. `by` and `top` apply to groups. */
  chart: z.enum(chartKinds).optional(),
  by: z.enum(groupFields).default('kind'),
  top: z.coerce.number().pipe(z.literal(topChoices)).default(5),
  compare: z.stringbool().default(false),
});
export type ExploreQuery = z.output<typeof exploreQuery>;

/** The chart in the address; undefined without one. */
export const chartOf = ({ chart, by, top, compare }: ExploreQuery): EventChart | undefined =>
  chart && { kind: chart, by, top, compare };

/** The fields of the address that show a chart, or none. */
export const chartFieldsOf = (chart: EventChart | null): Pick<ExploreQuery, 'chart' | 'by' | 'top' | 'compare'> =>
  chart
    ? {
        chart: chart.kind,
        by: chart.by,
        top: topChoices.find((top) => top >= chart.top) ?? MAX_GROUPS,
        compare: chart.compare,
      }
    : { chart: undefined, by: 'kind', top: 5, compare: false };

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
