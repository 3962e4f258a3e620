import { useCallback, useEffect, useRef } from 'react';
import type { OnEntity } from '#ui/EventEntity.tsx';
import { toast } from '#ui/toast.ts';
import { entityFilter } from './entityFilter.ts';
import type { ExploreQuery } from './exploreQuery.ts';

/** What a click on an entity does. Keeps its identity: thousands of rows hold it. */
export function useEntityFilter(query: ExploreQuery, setQuery: (patch: Partial<ExploreQuery>) => void): OnEntity {
  const latest = useRef({ query, setQuery });
  useEffect(() => {
    latest.current = { query, setQuery };
  });
  return useCallback((parameter, { exclude }) => {
    const now = latest.current;
    const patch = entityFilter(parameter, now.query, exclude);
    if (patch) now.setQuery({ ...patch, event: undefined });
    else if (exclude) toast.info('Only people and repositories can be excluded.');
  }, []);
}
