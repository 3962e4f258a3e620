import { z } from 'zod';
import { boundedText } from './text.ts';

/** Page sizes in the UI (spec 9); the API accepts up to 100. */
export const pageSizes = [5, 10, 20, 40] as const;

/** The number of the last page: 1 for an empty list. */
export const lastPage = (total: number, perPage: number): number => Math.max(1, Math.ceil(total / perPage));

// Larger values would overflow the bigint offset of PostgreSQL.
const furthestPage = 1_000_000;

/** Query string of a paged list. The first sort is the default. Unknown parameters are rejected. */
export const pagedQuery = <const Sorts extends readonly [string, ...string[]], Filters extends z.ZodRawShape>(
  sorts: Sorts,
  filters: Filters,
) =>
  z.strictObject({
    page: z.coerce.number().int().min(1).max(furthestPage).default(1),
    perPage: z.coerce.number().int().min(1).max(100).default(10),
    search: boundedText(200).trim().default(''),
    sort: z.enum(sorts).default(sorts[0] as never),
    ...filters,
  });
