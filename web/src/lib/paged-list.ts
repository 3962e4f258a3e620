import type { ApiError } from '@sightline/contract/core/client.ts';
import type { CallInput, CallOutput, Endpoint, Page } from '@sightline/contract/core/endpoint.ts';
import { lastPage } from '@sightline/contract/core/paging.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { z } from 'zod';
import { ask } from './api.ts';
import { isNarrowed, useUrlQuery, wideOpen } from './url-query.ts';

type PagedEndpoint = Endpoint & { paged: true; query: z.ZodObject; response: z.ZodArray };
type PagedRow<E extends PagedEndpoint> = z.output<E['response']>[number];
export type QueryOf<E extends PagedEndpoint> = z.output<E['query']> & {
  page: number;
  perPage: number;
  search: string;
  sort: string;
};

/** What `ui/PagedTable.tsx` draws; `query` and `setQuery` also feed the filters beside it. */
export interface PagedList<E extends PagedEndpoint> {
  query: QueryOf<E>;
  /** Goes back to page 1 unless the patch names a page. */
  setQuery: (patch: Partial<QueryOf<E>>) => void;
  /** undefined while the first answer is on its way. */
  rows: readonly PagedRow<E>[] | undefined;
  total: number;
  /** The rows answer an older question; the answer to this one is on its way. */
  stale: boolean;
  /** Why there is nothing to show; older rows stay in sight while a new question fails. */
  failure: ApiError | undefined;
  retry: () => void;
  /** Something beside page, size, order and view is asked for. */
  narrowed: boolean;
  /** There is nothing at all, whatever is asked for: nothing to search in either. */
  bare: boolean;
  /** Takes every filter back. */
  clear: () => void;
}

interface PagedListOptions<E extends PagedEndpoint> {
  /** What is asked for a query of the address; the query alone unless given. */
  input?: (query: QueryOf<E>) => CallInput<E>;
  /** Parts of the query that choose what is listed rather than narrow it: clearing the filters leaves them. */
  view?: readonly (keyof z.output<E['query']> & string)[];
}

/** A paged list of the contract whose page, size, search, order and filters live in the address. */
export function usePagedList<E extends PagedEndpoint>(endpoint: E, options: PagedListOptions<E> = {}): PagedList<E> {
  const [read, setRead] = useUrlQuery(endpoint.query);
  const query = read as QueryOf<E>;
  const setQuery = setRead as (patch: Partial<QueryOf<E>>) => void;
  const input = options.input?.(query) ?? ({ query } as CallInput<E>);
  const asked = useQuery<CallOutput<E>, ApiError>({
    ...ask(endpoint, input),
    placeholderData: keepPreviousData as never,
    meta: { quiet: true },
  });
  const page = asked.data as Page<PagedRow<E>[]> | undefined;

  // A page past the end (an old link, a row that went away) moves to the last one instead of looking empty.
  const last = page && !asked.isPlaceholderData ? lastPage(page.total, query.perPage) : undefined;
  useEffect(() => {
    if (last !== undefined && query.page > last) setQuery({ page: last } as Partial<QueryOf<E>>);
  });

  const narrowed = isNarrowed(endpoint.query, query, options.view);
  return {
    query,
    setQuery,
    rows: page?.rows,
    total: page?.total ?? 0,
    stale: asked.isPlaceholderData,
    failure: page ? undefined : (asked.error ?? undefined),
    retry: () => void asked.refetch(),
    narrowed,
    bare: page?.total === 0 && !narrowed && !asked.isPlaceholderData,
    clear: () => setQuery(wideOpen(endpoint.query, options.view) as Partial<QueryOf<E>>),
  };
}
