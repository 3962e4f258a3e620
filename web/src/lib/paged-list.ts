import type { ApiError } from '@sightline/contract/core/client.ts';
import type { CallInput, CallOutput, Endpoint, Page } from '@sightline/contract/core/endpoint.ts';
import { lastPage } from '@sightline/contract/core/paging.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { z } from 'zod';
import { endpointQuery } from './api.ts';
import { clearedFilters, hasFilters, useUrlQuery } from './url-query.ts';

type PagedEndpoint = Endpoint & { paged: true; query: z.ZodObject; response: z.ZodArray };
type PagedRow<E extends PagedEndpoint> = z.output<E['response']>[number];
export type QueryOf<E extends PagedEndpoint> = z.output<E['query']> & {
  page: number;
  perPage: number;
  search: string;
  sort: string;
};

/** The data of `ui/PagedTable.tsx`; `query` and `setQuery` are also used by its filters. */
export interface PagedList<E extends PagedEndpoint> {
  endpoint: E;
  /** The input of the request for the rows. */
  input: CallInput<E>;
  query: QueryOf<E>;
  /** Resets to page 1 unless the patch contains a page. */
  setQuery: (patch: Partial<QueryOf<E>>) => void;
  /** undefined while the first response is pending. */
  rows: readonly PagedRow<E>[] | undefined;
  total: number;
  /** The rows belong to an older query; the current response is pending. */
  stale: boolean;
  /** Why no rows are shown; older rows remain visible while a new query fails. */
  failure: ApiError | undefined;
  retry: () => void;
  /** Whether any filter is set. */
  isFiltered: boolean;
  /** Whether the list is empty without filters, so that a search is of no use. */
  isEmptyUnfiltered: boolean;
  /** Resets all filters. */
  clear: () => void;
}

interface PagedListOptions<E extends PagedEndpoint> {
  /** The input for a query of the URL; default: the query itself. */
  input?: (query: QueryOf<E>) => CallInput<E>;
  /** Query fields that select the list rather than filter it; clearing the filters keeps them. */
  view?: readonly (keyof z.output<E['query']> & string)[];
  /** Loads the page again after this time, for data that no realtime event announces. */
  refetchMs?: number;
}

/** A paged list of the contract whose page, size, search, order and filters are in the URL. */
export function usePagedList<E extends PagedEndpoint>(endpoint: E, options: PagedListOptions<E> = {}): PagedList<E> {
  const [read, setRead] = useUrlQuery(endpoint.query);
  const query = read as QueryOf<E>;
  const setQuery = setRead as (patch: Partial<QueryOf<E>>) => void;
  const input = options.input?.(query) ?? ({ query } as CallInput<E>);
  const result = useQuery<CallOutput<E>, ApiError>({
    ...endpointQuery(endpoint, input),
    placeholderData: keepRowsAt(ledgerSizeIn(input)) as never,
    meta: { quiet: true },
    refetchInterval: options.refetchMs ?? false,
  });
  const page = result.data as Page<PagedRow<E>[]> | undefined;

  // A page past the end (an old link, a deleted row) changes to the last page instead of appearing empty.
  const last = page && !result.isPlaceholderData ? lastPage(page.total, query.perPage) : undefined;
  useEffect(() => {
    if (last !== undefined && query.page > last) setQuery({ page: last } as Partial<QueryOf<E>>);
  });

  const isFiltered = hasFilters(endpoint.query, query, options.view);
  return {
    endpoint,
    input,
    query,
    setQuery,
    rows: page?.rows,
    total: page?.total ?? 0,
    stale: result.isPlaceholderData,
    failure: page ? undefined : (result.error ?? undefined),
    retry: () => void result.refetch(),
    isFiltered,
    isEmptyUnfiltered: page?.total === 0 && !isFiltered && !result.isPlaceholderData,
    clear: () => setQuery(clearedFilters(endpoint.query, options.view) as Partial<QueryOf<E>>),
  };
}

/** Shows the rows of the last query while the next one is pending, but never those of another ledger size. */
export const keepRowsAt =
  (ledgerSize: string | undefined) =>
  <Data>(previous: Data | undefined, query: { queryKey: readonly unknown[] } | undefined): Data | undefined =>
    ledgerSizeIn(query?.queryKey[1]) === ledgerSize ? previous : undefined;

const ledgerSizeIn = (input: unknown): string | undefined => {
  const { query, body } = (input ?? {}) as { query?: LedgerSizeInput; body?: LedgerSizeInput };
  return (query ?? body)?.ledgerSize;
};
type LedgerSizeInput = { ledgerSize?: string };
