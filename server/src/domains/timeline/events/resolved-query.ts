import type { KindAndTimeFilter } from './store/histogram.ts';
import type { QueryPlan } from './store/pages.ts';

/** A question resolved for one organization, limited to the events that its actor may see. */
export interface ResolvedQuery extends QueryPlan {
  /** Set if the query only filters by kinds and a time range. */
  plain: KindAndTimeFilter | undefined;
}
