import { z } from 'zod';
import { text } from './text.ts';

/** Page sizes a screen offers (spec 9); the API takes any up to 100. */
export const pageSizes = [5, 10, 20, 40] as const;

/** The last page there is: 1 for an empty list. */
export const lastPage = (total: number, perPage: number): number => Math.max(1, Math.ceil(total / perPage));

// Past this the offset would leave PostgreSQL's bigint; no list is that long.
const furthestPage = 1_000_000;

/** Query string of a paged list; the first sort is the default. Unknown parameters are refused. */
export const pagedQuery = <const Sorts extends readonly [string, ...string[]], Filters extends z.ZodRawShape>(
  sorts: Sorts,
  filters: Filters,
) =>
  z.strictObject({
    page: z.coerce.number().int().min(1).max(furthestPage).default(1),
    perPage: z.coerce.number().int().min(1).max(100).default(10),
    search: text(200).trim().default(''),
    sort: z.enum(sorts).default(sorts[0] as never),
    ...filters,
  });
