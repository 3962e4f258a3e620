import type { ApiError } from '@sightline/contract/core/client.ts';
import type { Page } from '@sightline/contract/core/endpoint.ts';
import { lastPage } from '@sightline/contract/core/paging.ts';
import { listToolFilters, listTools, type Tool, type ToolFilters } from '@sightline/contract/tools/tools.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { useAsOf } from '#lib/as-of.ts';
import { keepRowsAt } from '#lib/paged-list.ts';
import { clearedFilters, hasFilters, useUrlQuery } from '#lib/url-query.ts';
import { queryPeriodOf, type ToolsQuery, toolsListBodyOf, toolsQuery, unrecordedToolFilters } from './toolsQuery.ts';

// spec 9: stale after ten minutes, since change notices report changes; after ten seconds while repositories are read.
const staleTime = 600_000;
const SCANNING_REFETCH_MS = 10_000;

/** Returns the inventory for the address with its filters, of one repository if given. */
export function useTools(repository?: string) {
  const [read, setQuery] = useUrlQuery(toolsQuery);
  const query: ToolsQuery =
    repository === undefined ? read : { ...read, tab: 'ci/cd', users: [], projects: [repository] };
  const now = new Date();
  const filterOptions = useFilters(query, now, repository);
  const isScanning = hasRunningScan(filterOptions);
  const result = useQuery<Page<Tool[]>, ApiError>({
    ...endpointQuery(listTools, { body: toolsListBodyOf(query, now) }),
    placeholderData: keepRowsAt(query.ledgerSize),
    staleTime,
    refetchInterval: isScanning ? SCANNING_REFETCH_MS : false,
    meta: { quiet: true },
  });
  const page = result.data;
  const last = page && !result.isPlaceholderData ? lastPage(page.total, query.perPage) : undefined;
  useEffect(() => {
    if (last !== undefined && query.page > last) setQuery({ page: last });
  });
  const view = repository === undefined ? ['tab'] : ['tab', 'users', 'projects'];
  const isFiltered = hasFilters(toolsQuery, query, view);
  const asOf = useAsOf(query.ledgerSize, (ledgerSize) => setQuery({ ...unrecordedToolFilters, ledgerSize }));
  return {
    query,
    setQuery,
    asOf,
    filterOptions,
    isScanning,
    rows: page?.rows,
    total: page?.total ?? 0,
    /** When the response arrived, in epoch milliseconds. */
    updatedAt: result.dataUpdatedAt,
    stale: result.isPlaceholderData,
    failure: page ? undefined : (result.error ?? undefined),
    retry: () => void result.refetch(),
    isFiltered,
    isEmptyUnfiltered: page?.total === 0 && !isFiltered && !result.isPlaceholderData,
    clear: () => setQuery(clearedFilters(toolsQuery, view) as Partial<ToolsQuery>),
  };
}
export type ToolsList = ReturnType<typeof useTools>;

function useFilters(query: ToolsQuery, now: Date, repository: string | undefined): ToolFilters | undefined {
  const period = queryPeriodOf(query, now);
  return useQuery({
    ...endpointQuery(listToolFilters, {
      query: {
        tab: query.tab,
        projects: repository === undefined ? [] : [repository],
        ...(period !== undefined && { period }),
      },
    }),
    placeholderData: keepPreviousData,
    staleTime,
    refetchInterval: ({ state }) => (hasRunningScan(state.data) ? SCANNING_REFETCH_MS : false),
    meta: { quiet: true },
  }).data;
}

const hasRunningScan = (filters: ToolFilters | undefined): boolean =>
  filters !== undefined && filters.scanning.done < filters.scanning.total;
