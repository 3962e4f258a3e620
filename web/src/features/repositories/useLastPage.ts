import type { Page } from '@sightline/contract/endpoint.ts';
import { useEffect } from 'react';
import { lastPage } from '#ui/Pagination.tsx';

interface Answer {
  data: Page<readonly unknown[]> | undefined;
  isPlaceholderData: boolean;
}

/** A page past the end (an old link, a row that went away) moves to the last one instead of looking empty. */
export function useLastPage(
  query: { page: number; perPage: number },
  { data, isPlaceholderData }: Answer,
  setQuery: (patch: { page: number }) => void,
): void {
  const last = data && !isPlaceholderData ? lastPage(data.total, query.perPage) : undefined;
  useEffect(() => {
    if (last !== undefined && query.page > last) setQuery({ page: last });
  });
}
