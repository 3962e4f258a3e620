import { period, quarterOf } from '@sightline/contract/core/periods.ts';
import { z } from 'zod';
import { useUrlQuery } from './url-query.ts';

const query = z.object({ period: period.optional() });

/** Returns the period in the address, the current quarter by default, and its setter. */
export function usePeriodInAddress(): readonly [string, (period: string) => void] {
  const [{ period: chosen }, setQuery] = useUrlQuery(query);
  const now = quarterOf(new Date());
  return [chosen ?? now, (next) => setQuery({ period: next === now ? undefined : next })];
}
