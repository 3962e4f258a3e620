import { commaList } from '@sightline/contract/core/text.ts';
import { z } from 'zod';
import { useUrlQuery } from '#lib/url-query.ts';
import { statusOrder } from '#ui/verdicts.ts';

export type ShownStatus = (typeof statusOrder)[number];
const query = z.object({ status: commaList(z.enum(statusOrder)) });

/** Returns the status filter in the address and its setter. An empty list means all statuses. */
export function useStatusFilter(): readonly [readonly ShownStatus[], (statuses: ShownStatus[]) => void] {
  const [{ status }, setQuery] = useUrlQuery(query);
  return [status, (next) => setQuery({ status: next })];
}
